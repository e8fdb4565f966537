/** A link to a page of the dashboard. It replaces only the content of the page, and fetches nothing before it is followed. */
import NextLink from 'next/link'
import type { ComponentProps } from 'react'

export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />
}
