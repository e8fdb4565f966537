/** What was deleted and can be restored. */
import type { AuditRow } from '#lib/admin/admin-ports.ts'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { EmptyState } from '../_ui/empty-state.tsx'
import { Link } from '../_ui/link.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import { TimeAgo } from '../_ui/time-ago.tsx'
import type { AdminPage } from '../admin-page.ts'

type DeletedListProps = {
  readonly page: AdminPage
  readonly title: string
  readonly back: { readonly name: string; readonly href: string }
  readonly rows: readonly AuditRow[]
  readonly hrefOf: (id: string) => string
}

export async function DeletedList({ page, title, back, rows, hrefOf }: DeletedListProps) {
  const names = await page.ports.adminLists.namesOf(rows.flatMap(({ actor }) => actor ?? []))
  const nameOf = ({ actor }: AuditRow) =>
    actor === null ? 'The operator' : (names.get(actor)?.name ?? names.get(actor)?.username ?? actor)
  const columns: readonly Column<AuditRow>[] = [
    { name: 'Name', cell: ({ targetId }) => <Link href={hrefOf(targetId)}>{targetId}</Link> },
    { name: 'Deleted', cell: ({ time }) => <TimeAgo at={time} now={page.now} /> },
    { name: 'By', cell: nameOf },
  ]
  return (
    <AdminShell page={page} title={title}>
      <PageHeader
        title={title}
        back={back}
        description="Deleted items. You can restore them; their history is kept."
      />
      {rows.length === 0 ? (
        <EmptyState title="Nothing was deleted">Deleted items can be restored from here.</EmptyState>
      ) : (
        <DataTable caption={title} columns={columns} rows={rows} keyOf={({ targetId }) => targetId} />
      )}
    </AdminShell>
  )
}
