/** The way to what comes next; dead, with the reason, for those who may not. */
import type { ReactNode } from 'react'
import { Link } from './link.tsx'

type ActionLinkProps = {
  readonly href: string
  readonly reasonAgainst: string | null
  readonly children: ReactNode
}

export function ActionLink({ href, reasonAgainst, children }: ActionLinkProps) {
  if (reasonAgainst === null)
    return (
      <Link className="btn primary" href={href}>
        {children}
      </Link>
    )
  return (
    <span className="refused-button">
      <button type="button" className="btn" disabled>
        {children}
      </button>
      <span className="small muted">{reasonAgainst}</span>
    </span>
  )
}
