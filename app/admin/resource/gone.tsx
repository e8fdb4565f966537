/** The history of something that was deleted: all that is left of it, and the way back. */
import type { ReactNode } from 'react'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import type { AdminPage } from '../admin-page.ts'

type GoneProps = {
  readonly page: AdminPage
  readonly name: string
  readonly back: { readonly name: string; readonly href: string }
  /** What comes back with it and what does not. */
  readonly advice: string
  readonly children: ReactNode
}

export function Gone({ page, name, back, advice, children }: GoneProps) {
  return (
    <AdminShell page={page} title={name}>
      <PageHeader
        title={name}
        back={back}
        aside={<span className="tag bad">Deleted</span>}
        description={advice}
      />
      {children}
    </AdminShell>
  )
}
