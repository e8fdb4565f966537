/** A list with nothing in it says what it is for and how to begin. */
import type { ReactNode } from 'react'

type EmptyStateProps = {
  readonly title: string
  readonly children: ReactNode
  readonly action?: ReactNode
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <div className="muted small">{children}</div>
      {action}
    </div>
  )
}
