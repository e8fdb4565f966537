import type { listAdministrators } from '#lib/admin/administrators/read-administrators.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { Link } from '../_ui/link.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import type { OutputOf } from '../call-use-case.ts'
import { roleNames } from '../role-names.ts'
import { administratorPath } from './paths.ts'

export type ListedAdministrator = OutputOf<typeof listAdministrators>['administrators'][number]

type AdministratorTableProps = {
  readonly administrators: readonly ListedAdministrator[]
  /** Whoever looks. */
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
          <span className="mono small faint block">{username ?? subject}</span>
        </>
      ),
    },
    { name: 'Kind', cell: ({ kind }) => (kind === 'client' ? 'Client' : 'Person') },
    { name: 'Role', cell: ({ role }) => roleNames[role].name },
    { name: 'Last seen', cell: row => <TimeAgo at={row.last_seen_at} now={now} /> },
    { name: 'Since', cell: row => <TimeAgo at={row.created_at} now={now} /> },
  ]
}
