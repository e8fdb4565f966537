/** Finding people. */
import type { PageInput } from '#app/_ui/visit.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { listUsers } from '#lib/admin/users/read-users.ts'
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
import { userPath } from '../resource/paths.ts'

const path = '/admin/users'
const filters: readonly Filter[] = [
  {
    name: 'enabled',
    label: 'Status',
    options: [
      ['true', 'Enabled'],
      ['false', 'Locked'],
    ],
  },
]

export default withAdminErrors(UsersPage)

async function UsersPage(input: PageInput) {
  const page = await requireAdminPage('users:read', path, input)
  const query = withoutEmptyValues(page.query)
  const { q, after } = query
  const enabled = query.enabled === 'true' || query.enabled === 'false' ? query.enabled : undefined
  const { items, next } = await callUseCase(page, listUsers, { q, after, enabled })
  const filter = { search: q ?? null, enabled: enabled === undefined ? null : enabled === 'true' }
  const count = countedText(await page.ports.adminLists.countUsers(filter), 'user', 'users')
  const create = (
    <ActionLink href={`${path}/new`} reasonAgainst={page.reasonAgainst('users:create')}>
      New user
    </ActionLink>
  )
  return (
    <AdminShell page={page} title="Users">
      <PageHeader title="Users" description="People with an account here." action={create} />
      <FilterBar path={path} query={query} search="Search by name, e-mail or id" filters={filters} />
      {items.length === 0 ? (
        next === null && (
          <EmptyState title="Nobody found" action={create}>
            The search finds the beginnings of names, user names, e-mail addresses and phone numbers.
          </EmptyState>
        )
      ) : (
        <DataTable caption="People" columns={columns(page.now)} rows={items} keyOf={row => row.sub} />
      )}
      <Pager path={path} query={query} next={next} count={count} isEmpty={items.length === 0} />
    </AdminShell>
  )
}

type Row = OutputOf<typeof listUsers>['items'][number]

function columns(now: Date): readonly Column<Row>[] {
  return [
    {
      name: 'Name',
      cell: row => (
        <>
          <Link href={userPath(row.sub)}>{row.name ?? row.username}</Link>
          <span className="small faint block">{row.username}</span>
        </>
      ),
    },
    { name: 'E-mail', cell: row => row.email ?? <span className="faint">none</span> },
    {
      name: 'Status',
      cell: row =>
        row.enabled && row.sign_in_blocked_until !== null ? (
          <span className="tag bad">Sign-in blocked</span>
        ) : (
          <StatusTag isEnabled={row.enabled} off="Locked" />
        ),
    },
    { name: 'Since', cell: row => <TimeAgo at={row.created_at} now={now} /> },
  ]
}
