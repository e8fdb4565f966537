/** The list of clients. */
import type { PageInput } from '#app/_ui/visit.ts'
import { kindAdvice } from '#lib/admin/clients/client-defaults.ts'
import { clientFilterSchema, listClients } from '#lib/admin/clients/read-clients.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { clientKinds } from '#lib/protocol/registration/client.ts'
import { ActionLink } from '../_ui/action-link.tsx'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { EmptyState } from '../_ui/empty-state.tsx'
import { type Filter, FilterBar } from '../_ui/filter-bar.tsx'
import { Link } from '../_ui/link.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import { Pager } from '../_ui/pager.tsx'
import { StatusTag } from '../_ui/status-tag.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import { withAdminErrors } from '../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../admin-page.ts'
import { callUseCase, type OutputOf, withoutEmptyValues } from '../call-use-case.ts'
import { clientPath } from '../resource/paths.ts'

const path = '/admin/clients'
const filters: readonly Filter[] = [
  { name: 'kind', label: 'Kind', options: clientKinds.map(kind => [kind, kindAdvice[kind].title]) },
  {
    name: 'enabled',
    label: 'Status',
    options: [
      ['true', 'Enabled'],
      ['false', 'Disabled'],
    ],
  },
]

export default withAdminErrors(ClientsPage)

async function ClientsPage(input: PageInput) {
  const page = await requireAdminPage('clients:read', path, input)
  const query = withoutEmptyValues(page.query)
  const { items, next } = await callUseCase(
    page,
    listClients,
    clientFilterSchema.safeParse(query).success ? query : {},
  )
  const filter = {
    search: query.q ?? null,
    kind: clientKinds.find(kind => kind === query.kind) ?? null,
    enabled: enabledOf(query.enabled),
  }
  const count = countedText(await page.ports.adminLists.countClients(filter), 'client', 'clients')
  const create = (
    <ActionLink href={`${path}/new`} reasonAgainst={page.reasonAgainst('clients:create')}>
      New client
    </ActionLink>
  )
  const isEmpty = items.length === 0 && Object.keys(query).length === 0
  return (
    <AdminShell page={page} title="Clients">
      <PageHeader title="Clients" description="Apps and services that get tokens here." action={create} />
      {isEmpty ? (
        <EmptyState title="No clients yet" action={create}>
          A client is an app that sends people here to sign in, or a service that gets tokens for itself.
          Register the first one: it takes a minute.
        </EmptyState>
      ) : (
        <>
          <FilterBar path={path} query={query} search="Search by name or client id" filters={filters} />
          {items.length === 0 ? (
            next === null && (
              <p className="muted no-match">No client matches. Try fewer letters, or clear the filters.</p>
            )
          ) : (
            <DataTable
              caption="Clients"
              columns={columns(page.now)}
              rows={items}
              keyOf={row => row.client_id}
            />
          )}
          <Pager path={path} query={query} next={next} count={count} isEmpty={items.length === 0} />
        </>
      )}
      <p className="small">
        <Link href={`${path}/deleted`}>Deleted clients</Link>
      </p>
    </AdminShell>
  )
}

type Row = OutputOf<typeof listClients>['items'][number]

function enabledOf(text: string | undefined): boolean | null {
  return text === 'true' || text === 'false' ? text === 'true' : null
}

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
    { name: 'Last used', cell: row => <TimeAgo at={row.last_used_at} now={now} /> },
    { name: 'Changed', cell: row => <TimeAgo at={row.updated_at} now={now} /> },
  ]
}
