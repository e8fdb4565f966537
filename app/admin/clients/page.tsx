/** The list of clients. */

import { kindAdvice } from '#lib/admin/clients/client-defaults.ts'
import { clientFilterOf, clientFilterSchema, listClients } from '#lib/admin/clients/read-clients.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { clientPath } from '#lib/admin/page-paths.ts'
import { clientKinds } from '#lib/protocol/registration/client.ts'
import type { Column } from '../_ui/data-table.tsx'
import { Link } from '../_ui/link.tsx'
import { StatusTag } from '../_ui/page-parts.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import { type AdminPage, adminPage, callUseCase, type OutputOf, withoutEmptyValues } from '../admin-page.tsx'
import { ResourceList, statusFilter } from '../resource/resource-list.tsx'

export default adminPage('clients:read', '/admin/clients', ClientsPage)

async function ClientsPage(page: AdminPage) {
  const query = withoutEmptyValues(page.query)
  const { data: valid } = clientFilterSchema.safeParse(query)
  const { items, next } = await callUseCase(page, listClients, valid === undefined ? {} : query)
  const count = await page.ports.adminLists.countClients(clientFilterOf(valid ?? { q: query.q }))
  return (
    <ResourceList
      page={page}
      area="clients"
      title="Clients"
      description="Apps and services that get tokens here."
      create="New client"
      query={query}
      search="Search by name or client ID"
      filters={[
        { name: 'kind', label: 'Kind', options: clientKinds.map(kind => [kind, kindAdvice[kind].title]) },
        statusFilter('Disabled'),
      ]}
      columns={columns(page.now)}
      rows={items}
      keyOf={row => row.client_id}
      next={next}
      count={countedText(count, 'client', 'clients')}
      empty={{
        title: 'No clients yet',
        text: 'A client is an app to which users sign in here, or a service that gets tokens for itself. Register the first one: it takes a minute.',
      }}
      exportReasonAgainst={null}
      deleted="Deleted clients"
    />
  )
}

type Row = OutputOf<typeof listClients>['items'][number]

function columns(now: Date): readonly Column<Row>[] {
  return [
    {
      name: 'Name',
      cell: row => (
        <>
          <Link href={clientPath(row.client_id)}>{row.name}</Link>
          <span className="mono small faint block">{row.client_id}</span>
        </>
      ),
    },
    { name: 'Kind', cell: row => kindAdvice[row.kind].title },
    { name: 'Status', cell: row => <StatusTag isEnabled={row.enabled} /> },
    { name: 'Last used', sort: 'last_used', cell: row => <TimeAgo at={row.last_used_at} now={now} /> },
    { name: 'Changed', sort: 'updated', cell: row => <TimeAgo at={row.updated_at} now={now} /> },
  ]
}
