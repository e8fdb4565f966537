/** What a page is about: the way back, its name and state, and the one thing to do next. */
import type { ReactNode } from 'react'
import { Link } from './link.tsx'

type PageHeaderProps = {
  readonly title: ReactNode
  readonly back?: { readonly name: string; readonly href: string }
  /** Beside the title: a tag, a copyable id. */
  readonly aside?: ReactNode
  readonly description?: ReactNode
  readonly action?: ReactNode
}

export function PageHeader({ title, back, aside, description, action }: PageHeaderProps) {
  return (
    <div className="admin-head">
      <div className="grow">
        {back !== undefined && (
          <p className="way-back">
            <Link href={back.href}>
              <span aria-hidden="true">← </span>
              {back.name}
            </Link>
          </p>
        )}
        <h1>
          {title} {aside}
        </h1>
        {description !== undefined && <div className="description muted small">{description}</div>}
      </div>
      {action !== undefined && <div className="admin-actions">{action}</div>}
    </div>
  )
}
