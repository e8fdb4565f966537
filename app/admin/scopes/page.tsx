/** The page with the scopes, those for APIs and those with claims about the user. */

import type { ReactNode } from 'react'
import { countedText } from '#lib/admin/counted-text.ts'
import { statusChoice } from '#lib/admin/list/filters.ts'
import { scopePath } from '#lib/admin/page-paths.ts'
import { type ListedScope, listScopes } from '#lib/admin/scopes/read-scopes.ts'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { Link } from '../_ui/link.tsx'
import { StatusTag } from '../_ui/page-parts.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import { type AdminPage, adminPage, callUseCase, type Query, withoutEmptyValues } from '../admin-page.tsx'
import { ResourceList, sortRows } from '../resource/resource-list.tsx'

const path = '/admin/scopes'

export default adminPage('scopes:read', path, ScopesPage)

async function ScopesPage(page: AdminPage) {
  const query = withoutEmptyValues(page.query)
  const { items } = await callUseCase(page, listScopes, {})
  const found = items.filter(item => isFound(item, query))
  const tableOf = (rows: readonly ListedScope[], texts: Pick<ScopeTableProps, 'title' | 'description'>) => (
    <ScopeTable {...texts} query={query} rows={rows} columns={columns(page.now)} />
  )
  return (
    <ResourceList
      page={page}
      area="scopes"
      title="Scopes"
      description="The permissions that clients can request, and the claims in each scope."
      create="New scope"
      query={query}
      search="Search by name"
      filters={[{ name: 'enabled', ...statusChoice('Disabled') }]}
      columns={columns(page.now)}
      rows={sortRows(found, query.sort, {
        name: row => row.name,
        claims: row => row.claims,
        clients: row => row.used_by.count,
        status: row => row.enabled,
        updated: row => row.updated_at,
      })}
      keyOf={row => row.name}
      count={countedText({ count: found.length, isMore: false }, 'scope', 'scopes')}
      empty={{ title: 'No scopes yet', text: 'A scope is a permission that clients can request.' }}
      deleted="Deleted scopes"
      table={rows => (
        <>
          {tableOf(
            rows.filter(({ kind }) => kind === 'resource'),
            { title: 'APIs', description: 'Access to a resource. Access tokens contain the names.' },
          )}
          {found.length === items.length && !items.some(({ kind }) => kind === 'resource') && (
            <p className="small muted">
              No API scopes yet. Create one for each permission that your API checks, such as “orders.read”.
            </p>
          )}
          {tableOf(
            rows.filter(({ kind }) => kind === 'identity'),
            { title: 'About the user', description: 'Claims about the user that an app may read.' },
          )}
        </>
      )}
    />
  )
}

function isFound({ name, display_name: displayName, enabled }: ListedScope, query: Query): boolean {
  const searched = (query.q ?? '').toLowerCase()
  const texts = [name, displayName ?? ''].map(text => text.toLowerCase())
  const isNamed = texts.some(text => text.includes(searched))
  return isNamed && (query.enabled === undefined || query.enabled === String(enabled))
}

type ScopeTableProps = {
  readonly title: string
  readonly description: string
  readonly query: Query
  readonly columns: readonly Column<ListedScope>[]
  readonly rows: readonly ListedScope[]
}

/** The scopes of one kind. Without scopes nothing is shown. */
function ScopeTable({ title, description, query, columns: shown, rows }: ScopeTableProps) {
  if (rows.length === 0) return null
  return (
    <section className="grid gap-3">
      <div>
        <h2>{title}</h2>
        <p className="small muted">{description}</p>
      </div>
      <DataTable
        caption={title}
        columns={shown}
        rows={rows}
        keyOf={row => row.name}
        sorting={{ path, query }}
      />
    </section>
  )
}

function columns(now: Date): readonly Column<ListedScope>[] {
  return [
    {
      name: 'Name',
      sort: 'name',
      cell: row => (
        <>
          <Link className="mono" href={scopePath(row.name)}>
            {row.name}
          </Link>
          {row.display_name !== null && (
            <span className="small muted block font-normal">{row.display_name}</span>
          )}
        </>
      ),
    },
    { name: 'Consent', cell: row => <ConsentMarks row={row} /> },
    {
      name: 'Claims',
      sort: 'claims',
      cell: row => (row.claims === 0 ? <span className="faint">none</span> : row.claims),
    },
    { name: 'Allowed to', sort: 'clients', cell: usedBy },
    { name: 'Status', sort: 'status', cell: row => <StatusTag isEnabled={row.enabled} /> },
    { name: 'Changed', sort: 'updated', cell: row => <TimeAgo at={row.updated_at} now={now} /> },
  ]
}

function ConsentMarks({ row: { required, emphasize } }: { readonly row: ListedScope }) {
  if (!required && !emphasize) return <span className="faint">Optional</span>
  return (
    <span className="inline-flex flex-wrap gap-1">
      {required && <span className="tag">Required</span>}
      {emphasize && <span className="tag warn">Sensitive</span>}
    </span>
  )
}

function usedBy({ used_by: { count, is_more: isMore } }: ListedScope): ReactNode {
  return count === 0 ? (
    <span className="faint">no client</span>
  ) : (
    countedText({ count, isMore }, 'client', 'clients')
  )
}
