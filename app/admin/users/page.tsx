/** The list of users. */

import { countedText } from '#lib/admin/counted-text.ts'
import { userPath } from '#lib/admin/page-paths.ts'
import { listUsers, userFilterOf, userFilterSchema } from '#lib/admin/users/read-users.ts'
import { setSeveralEnabled } from '#lib/admin/users/write-users.ts'
import { CancelButton, ConfirmedButton } from '../_ui/confirmed-button.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { Link } from '../_ui/link.tsx'
import { StatusTag } from '../_ui/page-parts.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import { type AdminPage, adminPage, callUseCase, type OutputOf, withoutEmptyValues } from '../admin-page.tsx'
import { ResourceList, statusFilter } from '../resource/resource-list.tsx'
import { SelectAll } from './select-all.tsx'

const path = '/admin/users'

export default adminPage('users:read', path, UsersPage)

async function UsersPage(page: AdminPage) {
  const query = withoutEmptyValues(page.query)
  const { data: valid } = userFilterSchema.safeParse(query)
  const asked = valid && { q: valid.q, enabled: valid.enabled, after: query.after, sort: query.sort }
  const { items, next } = await callUseCase(page, listUsers, asked ?? {})
  const count = await page.ports.adminLists.countUsers(userFilterOf(valid ?? {}))
  return (
    <ResourceList
      page={page}
      area="users"
      title="Users"
      description={<Counts page={page} />}
      create="New user"
      query={query}
      search="Search by name, email or ID"
      filters={[statusFilter('Locked')]}
      columns={[]}
      rows={items}
      keyOf={row => row.sub}
      next={next}
      count={countedText(count, 'user', 'users')}
      empty={{
        title: 'No users yet',
        text: 'The search finds the beginnings of names, user names, email addresses and phone numbers.',
      }}
      exportReasonAgainst={page.reasonAgainst('users:export')}
      table={rows => <UserTable page={page} rows={rows} />}
    />
  )
}

/** How many accounts cannot sign in. */
async function Counts({ page: { ports, now } }: { readonly page: AdminPage }) {
  const [locked, blocked, imported] = await Promise.all([
    ports.adminLists.countUsers({ search: null, enabled: false }),
    ports.rateLimiter.countBlocked(now),
    ports.adminLists.countImportedHashes(),
  ])
  return (
    <>
      Users with an account here.{' '}
      <Link href={`${path}?enabled=false`}>
        {countedText(locked, 'account is locked', 'accounts are locked')}
      </Link>
      {`, ${countedText(blocked, 'is', 'are')} blocked by failed attempts.`}
      {imported.count === 0
        ? null
        : ` ${countedText(imported, 'user has', 'users have')} an imported password hash, which the next sign-in replaces.`}
    </>
  )
}

type Row = OutputOf<typeof listUsers>['items'][number]
type UserTableProps = { readonly page: AdminPage; readonly rows: readonly Row[] }

const formId = 'selected-users'

/** With boxes for admins who may lock and unlock. */
function UserTable({ page, rows }: UserTableProps) {
  const mayLock = page.reasonAgainst(setSeveralEnabled.permission) === null
  const sorting = page.query.q ? {} : { sorting: { path, query: page.query } }
  const shown = columns(page.now).filter(({ isSelection }) => mayLock || !isSelection)
  const table = <DataTable caption="Users" columns={shown} rows={rows} keyOf={row => row.sub} {...sorting} />
  if (!mayLock) return table
  return (
    <AdminForm page={page} useCase={setSeveralEnabled} id={formId} labels={{ sub: 'Users' }}>
      {table}
      <div className="admin-actions">
        <SelectAll form={formId} name="sub" />
        <SelectedButton
          label="Lock selected"
          isEnabled={false}
          consequence="Locks the selected accounts and ends their sessions and tokens immediately. You can unlock them again."
        />
        <SelectedButton
          label="Unlock selected"
          isEnabled
          consequence="The selected users can sign in again."
        />
      </div>
    </AdminForm>
  )
}

type SelectedButtonProps = {
  readonly label: string
  readonly isEnabled: boolean
  readonly consequence: string
}

/** The dialog is outside of the form, so its button names the form. */
function SelectedButton({ label, isEnabled, consequence }: SelectedButtonProps) {
  return (
    <ConfirmedButton label={label} thing="users" consequence={consequence} isBrief isHarmless={isEnabled}>
      <div className="admin-actions">
        <button
          type="submit"
          form={formId}
          name="enabled"
          value={String(isEnabled)}
          className={isEnabled ? 'btn small primary' : 'btn small bad'}
        >
          {label}
        </button>
        <CancelButton />
      </div>
    </ConfirmedButton>
  )
}

function columns(now: Date): readonly Column<Row>[] {
  return [
    {
      name: 'Select',
      isSelection: true,
      cell: row => <input type="checkbox" name="sub" value={row.sub} aria-label={`Select ${row.username}`} />,
    },
    {
      name: 'Name',
      cell: row => (
        <>
          <Link href={userPath(row.sub)}>{row.name ?? row.username}</Link>
          <span className="small faint block">{row.username}</span>
        </>
      ),
    },
    { name: 'Email', cell: row => row.email ?? <span className="faint">none</span> },
    {
      name: 'Status',
      cell: row =>
        row.enabled && row.sign_in_blocked_until !== null ? (
          <span className="tag bad">Sign-in blocked</span>
        ) : (
          <StatusTag isEnabled={row.enabled} off="Locked" />
        ),
    },
    {
      name: 'Last sign-in',
      sort: 'last_sign_in',
      cell: row => <TimeAgo at={row.last_sign_in_at} now={now} />,
    },
    { name: 'Created', sort: 'created', cell: row => <TimeAgo at={row.created_at} now={now} /> },
  ]
}
