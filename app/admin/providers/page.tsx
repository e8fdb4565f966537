import { ProviderMark } from '#app/_ui/provider-mark.tsx'
import { countedText } from '#lib/admin/counted-text.ts'
import { providerPath } from '#lib/admin/page-paths.ts'
import { listProviders } from '#lib/admin/providers/read-providers.ts'
import type { Column } from '../_ui/data-table.tsx'
import { Link } from '../_ui/link.tsx'
import { StatusTag } from '../_ui/page-parts.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import { type AdminPage, adminPage, callUseCase, type OutputOf, withoutEmptyValues } from '../admin-page.tsx'
import { ResourceList, sortRows } from '../resource/resource-list.tsx'
import { HiddenTag } from './provider-pages.tsx'

export default adminPage('providers:read', '/admin/providers', ProvidersPage)

async function ProvidersPage(page: AdminPage) {
  const query = withoutEmptyValues(page.query)
  const { items } = await callUseCase(page, listProviders, {})
  return (
    <ResourceList
      page={page}
      area="providers"
      title="Identity providers"
      description="Where users can sign in with an account that they have there."
      create="New provider"
      query={query}
      search={null}
      filters={[]}
      columns={columns(page.now)}
      rows={sortRows(items, query.sort, {
        name: row => row.display_name,
        users: row => row.users.count,
        status: row => row.enabled,
        updated: row => row.updated_at,
      })}
      keyOf={row => row.scheme}
      count={countedText({ count: items.length, isMore: false }, 'provider', 'providers')}
      empty={{
        title: 'No identity providers yet',
        text: 'Users can sign in with the account of their company or school. Choose the provider, or paste the issuer of any other OpenID provider.',
      }}
      deleted="Deleted providers"
    />
  )
}

type Row = OutputOf<typeof listProviders>['items'][number]

function columns(now: Date): readonly Column<Row>[] {
  return [
    {
      name: 'Name',
      sort: 'name',
      cell: row => (
        <>
          <span className="with-mark">
            <ProviderMark preset={row.preset} />
            <Link href={providerPath(row.scheme)}>{row.display_name}</Link>
          </span>
          <span className="mono small faint block font-normal">{row.scheme}</span>
        </>
      ),
    },
    {
      name: 'Issuer',
      cell: row => <span className="mono small">{row.issuer.replace(/^https:\/\//, '')}</span>,
    },
    {
      name: 'Email domains',
      cell: row =>
        row.domains.length === 0 ? <span className="faint">none</span> : <Domains domains={row.domains} />,
    },
    {
      name: 'Users',
      sort: 'users',
      isNumber: true,
      cell: row => countedText({ count: row.users.count, isMore: row.users.is_more }, '', '').trim(),
    },
    {
      name: 'Status',
      sort: 'status',
      cell: row => (
        <>
          <StatusTag isEnabled={row.enabled} /> <HiddenTag provider={row} />
        </>
      ),
    },
    { name: 'Changed', sort: 'updated', cell: row => <TimeAgo at={row.updated_at} now={now} /> },
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
