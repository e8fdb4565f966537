/** Anything by a few letters: straight to the one thing that is meant, else what it may be and what can be done. */
import { redirect } from 'next/navigation'
import type { PageInput } from '#app/_ui/visit.ts'
import { AdminShell, EmptyState, PageHeader } from '../_ui/page-parts.tsx'
import { withAdminErrors } from '../_ui/refused-page.tsx'
import { requireAdminPage } from '../admin-page.ts'
import { readResults, searchText } from './read-results.ts'
import { SearchResults } from './search-results.tsx'

export default withAdminErrors(SearchPage)

async function SearchPage(input: PageInput) {
  const page = await requireAdminPage('overview:read', '/admin/search', input)
  const text = searchText(page.query.q)
  const { groups, only } = await readResults(page.ports, page.actor.role, text)
  if (only !== null) redirect(only)
  return (
    <AdminShell page={page} title="Search">
      <PageHeader
        title="Search"
        description={text === '' ? undefined : `What begins with “${text}”; the first few of each kind.`}
      />
      {groups.length === 0 ? (
        <EmptyState title="Nothing found">
          The box in the navigation finds clients, people, scopes and identity providers by the beginnings of
          their names, what can be done, and the trace of a request by the reference from an error page.
        </EmptyState>
      ) : (
        <SearchResults groups={groups} />
      )}
    </AdminShell>
  )
}
