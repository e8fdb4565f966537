import { kindAdvice } from '#lib/admin/clients/client-defaults.ts'
import { clientList } from '#lib/admin/clients/read-clients.ts'
import { clientPath } from '#lib/admin/page-paths.ts'
import { Link } from '../_ui/link.tsx'
import { StatusTag } from '../_ui/page-parts.tsx'
import { adminPage } from '../admin-page.tsx'
import { DescribedList } from '../resource/described-list.tsx'

export default adminPage('clients:read', '/admin/clients', page => (
  <DescribedList
    page={page}
    list={clientList}
    area="clients"
    title="Clients"
    description="Apps and services that get tokens here."
    create="New client"
    search="Search by name or client ID"
    keyOf={row => row.client_id}
    shown={['name', 'kind', 'enabled', 'last_used_at', 'updated_at']}
    cells={{
      name: row => (
        <>
          <Link href={clientPath(row.client_id)}>{row.name}</Link>
          <span className="mono small faint block">{row.client_id}</span>
        </>
      ),
      kind: row => kindAdvice[row.kind].title,
      enabled: row => <StatusTag isEnabled={row.enabled} />,
    }}
    count={({ adminLists }, filter) => adminLists.countClients(filter)}
    nouns={['client', 'clients']}
    empty={{
      title: 'No clients yet',
      text: 'A client is an app to which users sign in here, or a service that gets tokens for itself. Register the first one: it takes a minute.',
    }}
    exportReasonAgainst={null}
    deleted="Deleted clients"
  />
))
