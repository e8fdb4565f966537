/** The parts of every page: title, header, sections, tabs, facts and states. */
import type { ReactNode } from 'react'
import type { AdminPage } from '../admin-page.tsx'
import { FullPageLoads } from './form-script.tsx'
import { Link } from './link.tsx'
import { Notice } from './notice.tsx'

/** What every page of the dashboard begins with: its title, and the result of the last form. */
type AdminShellProps = {
  readonly page: AdminPage
  /** The title of the tab, without the name of the site. */
  readonly title: string
  readonly children: ReactNode
}

export function AdminShell({ page, title, children }: AdminShellProps) {
  const isRejected = (page.rejectedForm?.errors.length ?? 0) > 0
  return (
    <>
      <title>{`${isRejected ? 'Error: ' : ''}${title} · ${page.siteName}`}</title>
      {page.done !== null && page.done !== '' && <Notice kind="good">{page.done}</Notice>}
      {page.oneTimeResult !== null && <FullPageLoads />}
      {children}
    </>
  )
}

/** The title of a page with its state, the link back, and its main action. */
type PageHeaderProps = {
  readonly title: ReactNode
  readonly back?: { readonly name: string; readonly href: string }
  /** Next to the title: a tag, an ID to copy. */
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

/** A part of a page with a title. */
type SectionProps = {
  readonly title: string
  readonly description?: ReactNode
  /** For links to it. */
  readonly id?: string
  /** Next to the title, such as a button. */
  readonly action?: ReactNode
  /** For irreversible actions. */
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

/** The pages of one object. */
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

/** Names and values below each other; without a value a name is left out. */
type FactsProps = {
  readonly facts: Readonly<Record<string, ReactNode>>
  /** In one row, each name above its value. */
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

/** Instead of an empty list: what it is for and how to begin. */
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

/** Whether an object is enabled; only a disabled one is emphasized. */
export function StatusTag({
  isEnabled,
  off = 'Disabled',
}: {
  readonly isEnabled: boolean
  readonly off?: string
}) {
  return isEnabled ? <span className="state">Enabled</span> : <span className="tag bad">{off}</span>
}
