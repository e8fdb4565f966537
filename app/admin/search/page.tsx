/** The search page. It redirects to a clear result (see `SearchAnswer`), and otherwise lists matches, actions and pages. */

import { redirect } from 'next/navigation'
import { AdminShell, EmptyState } from '../_ui/page-parts.tsx'
import { type AdminPage, adminPage } from '../admin-page.tsx'
import { readResults, searchText } from './read-results.ts'
import { SearchResults } from './search-results.tsx'

export default adminPage('overview:read', '/admin/search', SearchPage)

async function SearchPage(page: AdminPage) {
  const text = searchText(page.query.q)
  const { groups, only, reason } = await readResults(page.ports, page.actor.role, text)
  if (only !== null) redirect(only)
  return (
    <AdminShell
      page={page}
      title="Search"
      description={text === '' ? undefined : `The first matches of each kind for “${text}”.`}
    >
      {groups.length === 0 ? (
        <EmptyState title="No results">
          {reason ??
            'Search clients, users, scopes and identity providers by the beginning of a name, actions, or a request by the request ID of an error page.'}
        </EmptyState>
      ) : (
        <SearchResults groups={groups} />
      )}
    </AdminShell>
  )
}
