/** One page of what people and apps hold, as a table. */
import type { ReactNode } from 'react'
import { listConsents, listGrants, listSessions } from '#lib/admin/grants/read-grants.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import type { AdminPage } from '../admin-page.ts'
import { callUseCase } from '../call-use-case.ts'
import { consentColumns, grantColumns, type NameOf, sessionColumns } from './holding-columns.tsx'
import type { Showing } from './paths.ts'

export type Owner = {
  readonly subject: string | null
  readonly clientId: string | null
  /** The token of the page. */
  readonly after?: string | undefined
}

export type HoldingTable = {
  /** `null`: nothing is held. */
  readonly table: ReactNode | null
  readonly next: string | null
}

type Reader = (page: AdminPage, owner: Owner) => Promise<HoldingTable>

/** A session belongs to no app: its reader looks at the person alone. */
export const readHoldings: Readonly<Record<Showing, Reader>> = {
  sessions: async (page, owner) => {
    const { subject, after } = owner
    const { items, next } = await callUseCase(page, listSessions, { sub: subject ?? undefined, after })
    const columns = sessionColumns(page, await namesFor(page, items))
    return {
      next,
      table: tableOf({ caption: 'Sessions', columns, rows: items, owner }, row => row.session_id),
    }
  },
  access: async (page, owner) => {
    const { items, next } = await callUseCase(page, listGrants, filterOf(owner))
    const columns = grantColumns(page, await namesFor(page, items))
    return { next, table: tableOf({ caption: 'Grants', columns, rows: items, owner }, row => row.grant_id) }
  },
  consents: async (page, owner) => {
    const { items, next } = await callUseCase(page, listConsents, filterOf(owner))
    const columns = consentColumns(page, await namesFor(page, items))
    const keyOf = (row: (typeof items)[number]) => `${row.sub} ${row.client_id}`
    return { next, table: tableOf({ caption: 'Consents', columns, rows: items, owner }, keyOf) }
  },
}

function filterOf({ subject, clientId, after }: Owner) {
  return { sub: subject ?? undefined, client_id: clientId ?? undefined, after }
}

async function namesFor({ ports }: AdminPage, rows: readonly { readonly sub: string }[]): Promise<NameOf> {
  const subjects = [...new Set(rows.map(({ sub }) => sub))]
  const names = await ports.adminLists.namesOf(subjects.map(sub => subjectIdSchema.parse(sub)))
  return id => names.get(id)?.name ?? names.get(id)?.username ?? id
}

type Rows<T> = {
  readonly caption: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly owner: Owner
}

/** What is the same in every row says nothing: where it is all of one person or app, that column is left out. */
function tableOf<T>(
  { columns, owner: { subject, clientId }, ...table }: Rows<T>,
  keyOf: (row: T) => string,
): ReactNode | null {
  if (table.rows.length === 0) return null
  const known = [...(subject === null ? [] : ['Who', 'For', 'By']), ...(clientId === null ? [] : ['App'])]
  return <DataTable {...table} columns={columns.filter(({ name }) => !known.includes(name))} keyOf={keyOf} />
}
