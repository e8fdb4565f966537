/** The changes of one thing, newest first. */
import type { HistoryEntry } from '#lib/admin/configuration/history.ts'
import type { AdminPage } from '../admin-page.ts'
import { Differences } from './differences.tsx'
import { EmptyState } from './empty-state.tsx'
import { AdminForm } from './form.tsx'
import { Section } from './section.tsx'
import { TimeAgo } from './time-ago.tsx'

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
  return entries.map(({ row, differences }, index) => (
    <Section
      key={row.seq}
      title={row.action.replace('.', ': ').replaceAll('_', ' ')}
      description={
        <>
          {row.actor === null
            ? 'The operator'
            : (names.get(row.actor)?.name ?? names.get(row.actor)?.username ?? row.actor)}
          {', '}
          <TimeAgo at={row.time} now={page.now} />, change {row.seq}
        </>
      }
      action={
        index > 0 && row.after !== null && reason === null ? (
          <AdminForm page={page} useCase={restore.useCase} hidden={{ ...restore.hidden, seq: row.seq }}>
            <button type="submit" className="btn small">
              Restore this version
            </button>
          </AdminForm>
        ) : undefined
      }
    >
      <Differences differences={differences} />
    </Section>
  ))
}
