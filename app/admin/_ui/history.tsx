/** The changes of one thing, newest first. */
import type { HistoryEntry } from '#lib/admin/configuration/history.ts'
import type { AdminPage } from '../admin-page.ts'
import { ChangeEntry } from '../changes/change-entry.tsx'
import { EmptyState } from './empty-state.tsx'
import { AdminForm } from './form.tsx'

type HistoryProps = {
  readonly page: AdminPage
  readonly entries: readonly HistoryEntry[]
  /** The form that brings a version back. */
  readonly restore: { readonly useCase: string; readonly hidden: Readonly<Record<string, string | number>> }
}

export async function History({ page, entries, restore }: HistoryProps) {
  if (entries.length === 0)
    return (
      <EmptyState title="No changes yet">
        What admins change here is kept, with what stood before. What the configuration file brought is not
        listed.
      </EmptyState>
    )
  const names = await page.ports.adminLists.namesOf(entries.flatMap(({ row }) => row.actor ?? []))
  const reason = page.reasonAgainst('configuration:restore')
  return (
    <ol className="changes list">
      {entries.map(({ row, differences }, index) => (
        <ChangeEntry
          key={row.seq}
          row={row}
          differences={differences}
          names={names}
          now={page.now}
          action={
            index > 0 && row.after !== null && reason === null ? (
              <AdminForm page={page} useCase={restore.useCase} hidden={{ ...restore.hidden, seq: row.seq }}>
                <button type="submit" className="btn small">
                  Restore this version
                </button>
              </AdminForm>
            ) : undefined
          }
        />
      ))}
    </ol>
  )
}
