import type { ReactNode } from 'react'
import { countedText } from '#lib/admin/counted-text.ts'
import { userPath } from '#lib/admin/page-paths.ts'
import { type listUsers, userList } from '#lib/admin/users/read-users.ts'
import { setSeveralEnabled } from '#lib/admin/users/write-users.ts'
import { AddressText } from '../_ui/address-text.tsx'
import { CancelButton, ConfirmedButton } from '../_ui/confirmed-button.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { Link } from '../_ui/link.tsx'
import { StatusTag } from '../_ui/page-parts.tsx'
import { type AdminPage, adminPage, type OutputOf } from '../admin-page.tsx'
import { DescribedList } from '../resource/described-list.tsx'
import { SelectAll } from './select-all.tsx'
import { BlockedTag } from './user-pages.tsx'

const path = '/admin/users'

export default adminPage('users:read', path, UsersPage)

function UsersPage(page: AdminPage) {
  const mayLock = page.reasonAgainst(setSeveralEnabled.permission) === null
  return (
    <DescribedList
      page={page}
      list={userList}
      area="users"
      title="Users"
      description={<Counts page={page} />}
      create="New user"
      actions={
        <Link className="btn" href={`${path}/invitations`}>
          Invitations
        </Link>
      }
      search="Search by name, email or ID"
      keyOf={row => row.sub}
      shown={['name', 'email', 'enabled', 'last_sign_in_at', 'created_at']}
      cells={cells}
      count={({ adminLists }, filter) => adminLists.countUsers(filter)}
      nouns={['user', 'users']}
      empty={{
        title: 'No users yet',
        text: 'The search finds the beginnings of names, user names, email addresses and phone numbers.',
      }}
      exportReasonAgainst={page.reasonAgainst('users:export')}
      {...(mayLock ? { selection, around: table => <LockForm page={page}>{table}</LockForm> } : {})}
    />
  )
}

/** The numbers of accounts that are locked, blocked by failed attempts, or have an imported password hash. */
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

const formId = 'selected-users'

/** The form that locks and unlocks the selected users. */
function LockForm({ page, children }: { readonly page: AdminPage; readonly children: ReactNode }) {
  return (
    <AdminForm page={page} useCase={setSeveralEnabled} id={formId} labels={{ sub: 'Users' }}>
      {children}
      <div className="admin-actions list-actions">
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

/** A button for the selected users. Its dialog is outside of the form, so it names the form. */
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

const selection = {
  name: 'Select',
  isSelection: true,
  cell: (row: Row) => (
    <input type="checkbox" name="sub" value={row.sub} aria-label={`Select ${row.username}`} />
  ),
}

const cells = {
  name: (row: Row) => (
    <>
      <Link href={userPath(row.sub)}>
        <AddressText text={row.name ?? row.username} />
      </Link>
      {row.name !== null && row.name !== row.username && (
        <span className="small faint block">
          <AddressText text={row.username} />
        </span>
      )}
    </>
  ),
  email: ({ email }: Row) =>
    email === null ? <span className="faint">none</span> : <AddressText text={email} />,
  enabled: (row: Row) => (
    <>
      <StatusTag isEnabled={row.enabled} off="Locked" /> <BlockedTag user={row} />
    </>
  ),
}
