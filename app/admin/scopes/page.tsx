/** Everything that an app may ask for: what is about the person, and access to APIs. */
import type { PageInput, Query } from '#app/_ui/visit.ts'
import { type ListedScope, listScopes } from '#lib/admin/scopes/read-scopes.ts'
import { ActionLink } from '../_ui/action-link.tsx'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { EmptyState } from '../_ui/empty-state.tsx'
import { type Filter, FilterBar } from '../_ui/filter-bar.tsx'
import { Link } from '../_ui/link.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import { withAdminErrors } from '../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../admin-page.ts'
import { callUseCase, withoutEmptyValues } from '../call-use-case.ts'
import { ScopeTable } from './scope-table.tsx'

const path = '/admin/scopes'
const filters: readonly Filter[] = [
  {
    name: 'enabled',
    label: 'Status',
    options: [
      ['true', 'Enabled'],
      ['false', 'Disabled'],
    ],
  },
]

export default withAdminErrors(ScopesPage)

async function ScopesPage(input: PageInput) {
  const page = await requireAdminPage('scopes:read', path, input)
  const query = withoutEmptyValues(page.query)
  const { items } = await callUseCase(page, listScopes, {})
  const found = items.filter(item => isFound(item, query))
  const create = (
    <ActionLink href={`${path}/new`} reasonAgainst={page.reasonAgainst('scopes:create')}>
      New scope
    </ActionLink>
  )
  const isAlike = (kind: ListedScope['kind']) => found.filter(item => item.kind === kind)
  const isNarrowed = found.length < items.length
  return (
    <AdminShell page={page} title="Scopes">
      <PageHeader
        title="Scopes"
        description="What apps may ask for, and the claims each one opens."
        action={create}
      />
      <FilterBar path={path} query={query} search="Search by name" filters={filters} />
      {found.length === 0 && (
        <p className="muted no-match">No scope matches. Try fewer letters, or clear the filters.</p>
      )}
      <ScopeTable
        title="APIs"
        description="Access to a resource. The names stand in access tokens."
        rows={isAlike('resource')}
        now={page.now}
        empty={
          isNarrowed ? null : (
            <EmptyState title="No APIs yet" action={create}>
              Give each thing that an app may do at an API a scope of its own, such as “orders.read”.
            </EmptyState>
          )
        }
      />
      <ScopeTable
        title="About the person"
        description="Claims that an app may read of whoever signs in."
        rows={isAlike('identity')}
        now={page.now}
        empty={null}
      />
      <p className="small">
        <Link href={`${path}/deleted`}>Deleted scopes</Link>
      </p>
    </AdminShell>
  )
}

function isFound({ name, display_name: displayName, enabled }: ListedScope, query: Query): boolean {
  const searched = (query.q ?? '').toLowerCase()
  const texts = [name, displayName ?? ''].map(text => text.toLowerCase())
  const isNamed = texts.some(text => text.includes(searched))
  return isNamed && (query.enabled === undefined || query.enabled === String(enabled))
}
