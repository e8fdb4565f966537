/** Parts of the pages of the dashboard, such as the header, sections, tabs and facts. */
import type { ReactNode } from 'react'
import type { AdminPage } from '../admin-page.tsx'
import { Link } from './link.tsx'
import { Notice } from './notice.tsx'
import { FullPageLoads } from './post-form.tsx'

type AdminShellProps = {
  readonly page: AdminPage
  /** The title of the browser's tab, without the name of the site. */
  readonly title: string
  /** The heading of the page; without it the title. */
  readonly heading?: ReactNode
  readonly back?: { readonly name: string; readonly href: string } | undefined
  /** An element next to the heading, such as a tag, or an ID to copy. */
  readonly aside?: ReactNode
  readonly description?: ReactNode
  /** The main action of the page. */
  readonly action?: ReactNode
  readonly children: ReactNode
}

/** The frame of a page of the dashboard: title, result of the last form, header and content. */
export function AdminShell(props: AdminShellProps) {
  const { page, title, heading = title, back, aside, description, action, children } = props
  const isRejected = (page.rejectedForm?.errors.length ?? 0) > 0
  return (
    <>
      <title>{`${isRejected ? 'Error: ' : ''}${title} · ${page.siteName}`}</title>
      {page.done !== null && page.done !== '' && <Notice kind="good">{page.done}</Notice>}
      {page.oneTimeResult !== null && <FullPageLoads />}
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
            {heading} {aside}
          </h1>
          {description !== undefined && <div className="description muted small">{description}</div>}
        </div>
        {action !== undefined && <div className="admin-actions">{action}</div>}
      </div>
      {children}
    </>
  )
}

/** A part of a page, with a heading. */
type SectionProps = {
  readonly title: string
  readonly description?: ReactNode
  /** The id of the section, for links to it. */
  readonly id?: string
  /** An element next to the heading, such as a button. */
  readonly action?: ReactNode
  /** Whether the section disables, revokes or deletes something. */
  readonly isDangerous?: boolean
  readonly children: ReactNode
}

export function Section({ title, description, id, action, isDangerous = false, children }: SectionProps) {
  return (
    <section className={isDangerous ? 'sheet danger' : 'sheet'} id={id}>
      <div className="sheet-head">
        <div className="grow">
          <h2>{title}</h2>
          {description !== undefined && <p className="small muted">{description}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}

/** A link in a row of tabs. */
export type Tab = { readonly name: string; readonly href: string; readonly isCurrent: boolean }

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav aria-label={label}>
      <ul className="list tabs">
        {tabs.map(({ name, href, isCurrent }) => (
          <li key={href}>
            <Link href={href} aria-current={isCurrent ? 'page' : undefined}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** A list of names and values. A name without a value is left out. */
type FactsProps = {
  readonly facts: Readonly<Record<string, ReactNode>>
  /** Whether the facts are in one row, each name above its value. */
  readonly isRow?: boolean
}

export function Facts({ facts, isRow = false }: FactsProps) {
  return (
    <dl className={isRow ? 'facts fact-row' : 'facts admin-facts'}>
      {Object.entries(facts)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div className="fact" key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}

/** Shown in place of an empty list, or of charts without data. */
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

/** A tag that says whether an object is enabled. Only a disabled one is emphasized. */
export function StatusTag({
  isEnabled,
  off = 'Disabled',
}: {
  readonly isEnabled: boolean
  readonly off?: string
}) {
  return isEnabled ? <span className="state">Enabled</span> : <span className="tag bad">{off}</span>
}
