/** The tables of administrators and of open invitations. */
import type { listAdministrators } from '#lib/admin/administrators/read-administrators.ts'
import { withdrawInvitation } from '#lib/admin/administrators/use-cases.ts'
import { administratorPath } from '#lib/admin/page-paths.ts'
import { displayName, displayText } from '#lib/protocol/text/display-text.ts'
import { AddressText } from '../_ui/address-text.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { Link } from '../_ui/link.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import type { AdminPage, OutputOf } from '../admin-page.tsx'
import { roleNames } from '../role-names.ts'

export type ListedAdministrator = OutputOf<typeof listAdministrators>['administrators'][number]

type AdministratorTableProps = {
  readonly administrators: readonly ListedAdministrator[]
  /** The subject of the signed-in admin. */
  readonly self: string
  readonly now: Date
}

export function AdministratorTable({ administrators, self, now }: AdministratorTableProps) {
  return (
    <DataTable
      caption="Administrators"
      columns={columns(self, now)}
      rows={administrators}
      keyOf={({ subject }) => subject}
    />
  )
}

function columns(self: string, now: Date): readonly Column<ListedAdministrator>[] {
  return [
    {
      name: 'Name',
      cell: ({ subject, name, username }) => (
        <>
          <Link href={administratorPath(subject)}>{displayName(name, subject)}</Link>{' '}
          {subject === self && <span className="tag">You</span>}
          <span className="mono small faint block">
            <AddressText text={username ?? subject} />
          </span>
        </>
      ),
    },
    { name: 'Kind', cell: ({ kind }) => (kind === 'client' ? 'Client' : 'User') },
    { name: 'Role', cell: ({ role }) => roleNames[role].name },
    { name: 'Last seen', cell: row => <TimeAgo at={row.last_seen_at} now={now} /> },
    { name: 'Added', cell: row => <TimeAgo at={row.created_at} now={now} /> },
  ]
}

type InvitationTableProps = {
  readonly page: AdminPage
  readonly invitations: OutputOf<typeof listAdministrators>['invitations']
}

export function InvitationTable({ page, invitations }: InvitationTableProps) {
  const mayNot = page.reasonAgainst(withdrawInvitation.permission) !== null
  return (
    <DataTable
      caption="Open invitations"
      rows={invitations}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Role', cell: ({ role }) => roleNames[role].name },
        {
          name: 'Created by',
          cell: row => (row.invited_by === null ? 'The operator' : displayText(row.invited_by, 60)),
        },
        { name: 'Expires', cell: row => <TimeAgo at={row.expires_at} now={page.now} /> },
        {
          name: 'Action',
          isActions: true,
          cell: ({ id, role }) => (
            <AdminForm page={page} useCase={withdrawInvitation} hidden={{ id }} isInline>
              <button type="submit" className="btn small" disabled={mayNot}>
                Revoke<span className="visually-hidden"> the invitation as {roleNames[role].asPhrase}</span>
              </button>
            </AdminForm>
          ),
        },
      ]}
    />
  )
}
