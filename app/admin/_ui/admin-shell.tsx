/** What every page of the dashboard begins with: its title, and the result of the last form. */
import type { ReactNode } from 'react'
import type { AdminPage } from '../admin-page.ts'
import { DocumentLoads } from './document-loads.tsx'
import { Notice } from './notice.tsx'

type AdminShellProps = {
  readonly page: AdminPage
  /** The title of the tab, without the name of the site. */
  readonly title: string
  readonly children: ReactNode
}

export function AdminShell({ page, title, children }: AdminShellProps) {
  const isRejected = (page.draft?.errors.length ?? 0) > 0
  return (
    <>
      <title>{`${isRejected ? 'Error: ' : ''}${title} · ${page.siteName}`}</title>
      {page.done !== null && page.done !== '' && <Notice kind="good">{page.done}</Notice>}
      {page.answer !== null && <DocumentLoads />}
      {children}
    </>
  )
}
