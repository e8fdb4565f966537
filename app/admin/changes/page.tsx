/** The page of the audit log: who changed what, with the values before and after. */

import { listAdministrators } from '#lib/admin/administrators/read-administrators.ts'
import { targetKindLabels } from '#lib/admin/changes/operation-labels.ts'
import { type ChangeFilter, changeFilterSchema, readChanges } from '#lib/admin/changes/read-changes.ts'
import { compareVersions } from '#lib/admin/configuration/compare-documents.ts'
import { changeNames } from '#lib/admin/names.ts'
import { onlyMatch, searchAdmin } from '#lib/admin/search/search.ts'
import { adminList } from '#lib/config/limits.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { type Filter, FilterBar } from '../_ui/filter-bar.tsx'
import { AdminShell, EmptyState } from '../_ui/page-parts.tsx'
import { Pager } from '../_ui/pager.tsx'
import { type AdminPage, adminPage, callUseCase, type Query, withoutEmptyValues } from '../admin-page.tsx'
import { ChangeEntry } from './change-entry.tsx'

const path = '/admin/changes'

export default adminPage('audit:read', path, ChangesPage)

async function ChangesPage(page: AdminPage) {
  const query = withoutEmptyValues(page.query)
  const filter = await filterOf(page, query)
  const start = /^\d{1,9}$/.test(query.after ?? '') ? Number(query.after) : null
  const { rows, next } = await readChanges(page.ports, filter, start, adminList.page)
  const names = await changeNames(
    page.ports,
    rows.flatMap(({ row }) => row ?? []),
  )
  return (
    <AdminShell
      page={page}
      title="Changes"
      description={
        <>
          Admin activity, newest first. This log is tamper-evident: verify it with{' '}
          <code className="mono">npm run audit:verify</code>.
        </>
      }
      action={
        <a className="btn" href={browserAddress(`${path}/export?${new URLSearchParams(filter)}`)}>
          Export as CSV
        </a>
      }
    >
      <FilterBar
        path={path}
        query={query}
        search="Client, user, scope, provider or id"
        filters={await filtersOf(page, filter)}
        hasDays
      />
      {rows.length === 0 && <NoChanges isFiltered={Object.keys(filter).length > 0} />}
      {rows.length > 0 && (
        <ol className="changes list">
          {rows.map(({ seq, row }) =>
            row === null ? (
              <DamagedRow key={seq} seq={seq} />
            ) : (
              <ChangeEntry
                key={seq}
                row={row}
                differences={compareVersions(row.targetKind, row.before, row.after)}
                names={names}
                now={page.now}
              />
            ),
          )}
        </ol>
      )}
      <Pager path={path} query={query} next={next === null ? null : String(next)} count={null} />
    </AdminShell>
  )
}

/** Reads the filter from the query; invalid parts are ignored. A search text that finds no single object is an ID. */
async function filterOf({ ports, actor, now }: AdminPage, query: Query): Promise<ChangeFilter> {
  const fields = Object.entries(changeFilterSchema.shape).flatMap(([name, schema]) => {
    const value = schema.safeParse(query[name]).data
    return value === undefined ? [] : [[name, value] as const]
  })
  const filter: ChangeFilter = changeFilterSchema.parse(Object.fromEntries(fields))
  const text = query.q?.trim() ?? ''
  if (text === '') return filter
  const only = onlyMatch(await searchAdmin(ports, { role: actor.role, text, now }))
  return only === null
    ? { ...filter, target_id: text.slice(0, 600) }
    : { ...filter, target_kind: only.kind, target_id: only.id }
}

async function filtersOf(page: AdminPage, { actor }: ChangeFilter): Promise<readonly Filter[]> {
  const { administrators } = await callUseCase(page, listAdministrators, {})
  const known = administrators.map(({ subject, name }) => [subject, name] as const)
  const isFormer = actor !== undefined && !known.some(([subject]) => subject === actor)
  return [
    { name: 'actor', label: 'By', options: isFormer ? [...known, [actor, actor]] : known },
    { name: 'target_kind', label: 'What', options: Object.entries(targetKindLabels) },
  ]
}

function NoChanges({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState title="No changes found">
      No change matches these filters. Clear them to see all changes.
    </EmptyState>
  ) : (
    <EmptyState title="No changes yet">Admin changes are kept permanently.</EmptyState>
  )
}

/** LG-04: an audit row that was altered after it was written, or that a newer release wrote. */
function DamagedRow({ seq }: { readonly seq: number }) {
  return (
    <li className="change-entry">
      <h2>Change {seq} is damaged</h2>
      <p className="small muted">
        This row was altered in the database, or a newer release wrote it. Run{' '}
        <code className="mono">npm run audit:verify</code>.
      </p>
    </li>
  )
}
