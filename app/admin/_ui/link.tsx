/** A link to a page of the dashboard: only the content of the page is exchanged. Nothing is fetched before the press. */
import NextLink from 'next/link'
import type { ComponentProps } from 'react'

export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />
}
