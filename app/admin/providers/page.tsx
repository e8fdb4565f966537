/** Where people may sign in besides here. */
import type { PageInput } from '#app/_ui/visit.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { listProviders } from '#lib/admin/providers/read-providers.ts'
import { ActionLink } from '../_ui/action-link.tsx'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { EmptyState } from '../_ui/empty-state.tsx'
import { Link } from '../_ui/link.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import { StatusTag } from '../_ui/status-tag.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import { withAdminErrors } from '../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../admin-page.ts'
import { callUseCase, type OutputOf } from '../call-use-case.ts'
import { providerPath } from '../resource/paths.ts'

const path = '/admin/providers'

export default withAdminErrors(ProvidersPage)

async function ProvidersPage(input: PageInput) {
  const page = await requireAdminPage('providers:read', path, input)
  const { items } = await callUseCase(page, listProviders, {})
  const create = (
    <ActionLink href={`${path}/new`} reasonAgainst={page.reasonAgainst('providers:create')}>
      New provider
    </ActionLink>
  )
  return (
    <AdminShell page={page} title="Identity providers">
      <PageHeader
        title="Identity providers"
        description="OpenID providers where people may sign in with the account they have there."
        action={items.length === 0 ? undefined : create}
      />
      {items.length === 0 ? (
        <EmptyState title="No identity providers yet" action={create}>
          Let people sign in with their company’s or school’s account. Paste the provider’s address and we
          read the rest from it.
        </EmptyState>
      ) : (
        <DataTable
          caption="Identity providers"
          columns={columns(page.now)}
          rows={items}
          keyOf={row => row.scheme}
        />
      )}
      <p className="small">
        <Link href={`${path}/deleted`}>Deleted providers</Link>
      </p>
    </AdminShell>
  )
}

type Row = OutputOf<typeof listProviders>['items'][number]

function columns(now: Date): readonly Column<Row>[] {
  return [
    {
      name: 'Name',
      cell: row => (
        <>
          <Link href={providerPath(row.scheme)}>{row.display_name}</Link>
          <span className="mono small faint block font-normal">{row.scheme}</span>
        </>
      ),
    },
    {
      name: 'Issuer',
      cell: row => <span className="mono small">{row.issuer.replace(/^https:\/\//, '')}</span>,
    },
    {
      name: 'E-mail domains',
      cell: row =>
        row.domains.length === 0 ? <span className="faint">none</span> : <Domains domains={row.domains} />,
    },
    {
      name: 'People',
      isNumber: true,
      cell: row => countedText({ count: row.people.count, isMore: row.people.is_more }, '', '').trim(),
    },
    { name: 'Status', cell: row => <StatusTag isEnabled={row.enabled} /> },
    { name: 'Changed', cell: row => <TimeAgo at={row.updated_at} now={now} /> },
  ]
}

const domainsShown = 2

function Domains({ domains }: { readonly domains: readonly string[] }) {
  const rest = domains.length - domainsShown
  return (
    <>
      {domains.slice(0, domainsShown).join(', ')}
      {rest > 0 && <span className="faint"> and {rest} more</span>}
    </>
  )
}
