/** The page of active sessions, access and consents, each of which can be revoked. */

import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { AdminShell, Tabs } from '../_ui/page-parts.tsx'
import { type AdminPage, adminPage } from '../admin-page.tsx'
import { AccessList } from './access-lists.tsx'
import { DangerZone, readFilterUsage } from './danger-zone.tsx'
import { type ListFilter, ListFilterBar, readListFilter, SearchMatches } from './list-filter.tsx'
import { listNames, sessionsPath, sessionsQuery, sessionsRoot } from './paths.ts'

const tabNames = { sessions: 'Sessions', access: 'Access and tokens', consents: 'Consents' } as const

export default adminPage('grants:read', sessionsRoot, SessionsPage)

async function SessionsPage(page: AdminPage) {
  const filter = await readListFilter(page)
  const { list: shown, user, client, search } = filter
  const usage = search === null ? await readFilterUsage(page, filter) : null
  return (
    <AdminShell
      page={page}
      title={tabNames[shown]}
      heading="Sessions"
      description="Signed-in users, the access of clients to their accounts, and consents."
      action={
        page.reasonAgainst('grants:export') === null ? (
          <a className="btn" href={browserAddress(exportPath(filter))}>
            Export as CSV
          </a>
        ) : undefined
      }
    >
      <Tabs
        label="Sessions"
        tabs={listNames.map(list => ({
          name: tabNames[list],
          href: sessionsPath({ list, sub: user?.id ?? null, clientId: client?.id ?? null }),
          isCurrent: list === shown,
        }))}
      />
      <ListFilterBar page={page} filter={filter} />
      {search !== null && <SearchMatches page={page} filter={filter} search={search} />}
      {usage !== null && (
        <>
          <AccessList page={page} filter={filter} usage={usage.filtered} />
          <DangerZone page={page} filter={filter} usage={usage} />
        </>
      )}
    </AdminShell>
  )
}

function exportPath({ list, user, client, sort }: ListFilter): string {
  const query = sessionsQuery({ list, sub: user?.id ?? null, clientId: client?.id ?? null, sort })
  return `${sessionsRoot}/export?${new URLSearchParams(query)}`
}
