/** The changes of one thing, newest first: to compare, and to restore. */
import { changeNames } from '#lib/admin/changes/change-names.ts'
import { type HistoryEntry, type Version, versionIn } from '#lib/admin/configuration/history.ts'
import { EmptyState } from '../_ui/empty-state.tsx'
import type { AdminPage } from '../admin-page.ts'
import { ChangeEntry } from '../changes/change-entry.tsx'
import { CompareVersions } from './compare-versions.tsx'
import { RestoreButton, type Restoring } from './restore-button.tsx'

type HistoryProps = {
  readonly page: AdminPage
  readonly entries: readonly HistoryEntry[]
  /** As it is now; `null`: it was deleted. */
  readonly current: Version | null
  /** The form that brings a version back. */
  readonly restore: Restoring
}

export async function History({ page, entries, current, restore }: HistoryProps) {
  if (entries.length === 0)
    return (
      <EmptyState title="No changes yet">
        Admin changes are listed here, with previous values. Changes by the configuration file are not.
      </EmptyState>
    )
  // The latest one is the current version; where a secret must be typed, one field for it is enough
  const isRestorable = (index: number) => (current === null ? index === 0 || !restore.asksSecret : index > 0)
  const names = await changeNames(
    page.ports,
    entries.map(({ row }) => row),
  )
  return (
    <>
      <CompareVersions page={page} entries={entries} current={current} />
      <ol className="changes list">
        {entries.map(({ row, differences }, index) => (
          <ChangeEntry
            key={row.seq}
            row={row}
            differences={differences}
            names={names}
            now={page.now}
            action={
              isRestorable(index) && versionIn(row) !== null ? (
                <RestoreButton
                  page={page}
                  restore={restore}
                  seq={row.seq}
                  label={row.after === null ? 'Restore' : 'Restore this version'}
                />
              ) : undefined
            }
          />
        ))}
      </ol>
    </>
  )
}
