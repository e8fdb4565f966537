import type { listAdministrators } from '#lib/admin/administrators/read-administrators.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'
import { DataTable } from '../_ui/data-table.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import type { AdminPage } from '../admin-page.ts'
import type { OutputOf } from '../call-use-case.ts'
import { roleNames } from '../role-names.ts'

type InvitationTableProps = {
  readonly page: AdminPage
  readonly invitations: OutputOf<typeof listAdministrators>['invitations']
}

export function InvitationTable({ page, invitations }: InvitationTableProps) {
  const mayNot = page.reasonAgainst('administrators:invite') !== null
  return (
    <DataTable
      caption="Open invitations"
      rows={invitations}
      keyOf={({ id }) => id}
      columns={[
        { name: 'Role', cell: ({ role }) => roleNames[role].name },
        {
          name: 'Made by',
          cell: row => (row.invited_by === null ? 'The operator' : displayText(row.invited_by, 60)),
        },
        { name: 'Ends', cell: row => <TimeAgo at={row.expires_at} now={page.now} /> },
        {
          name: 'Action',
          isActions: true,
          cell: ({ id, role }) => (
            <AdminForm page={page} useCase="administrators.withdraw_invitation" hidden={{ id }} isInline>
              <button type="submit" className="btn small" disabled={mayNot}>
                Withdraw<span className="visually-hidden"> the invitation as {roleNames[role].asPhrase}</span>
              </button>
            </AdminForm>
          ),
        },
      ]}
    />
  )
}
