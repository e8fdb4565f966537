/** Two versions of one thing, compared field by field; the address says which two. */
import { compareVersions } from '#lib/admin/configuration/compare-versions.ts'
import { type HistoryEntry, type Version, versionIn } from '#lib/admin/configuration/history.ts'
import { Differences } from '../_ui/differences.tsx'
import { type Option, SelectField } from '../_ui/fields.tsx'
import { Section } from '../_ui/section.tsx'
import { timeAgo } from '../_ui/time-words.ts'
import type { AdminPage } from '../admin-page.ts'

type CompareProps = {
  readonly page: AdminPage
  readonly entries: readonly HistoryEntry[]
  readonly current: Version | null
}

type Choice = { readonly key: string; readonly name: string; readonly version: Version }

export function CompareVersions({ page, entries, current }: CompareProps) {
  // All are versions of the same thing
  const kind = entries[0]?.row.targetKind ?? 'configuration'
  const choices = choicesOf(page, entries, current)
  // The current version is the newest change once more
  const [newest, second, third = second] = choices
  if (newest === undefined || second === undefined) return null
  const earlier = current === null ? second : third
  const from = choices.find(({ key }) => key === page.query.from) ?? null
  const to = choices.find(({ key }) => key === page.query.to) ?? null
  const options = choices.map(({ key, name }): Option => [key, name])
  return (
    <Section title="Compare" id="compare">
      <form className="inline-form" method="get" action={`${page.path}#compare`}>
        <SelectField
          name="from"
          label="From"
          value={from?.key ?? earlier?.key ?? ''}
          options={options}
          error={null}
        />
        <SelectField name="to" label="To" value={to?.key ?? newest.key} options={options} error={null} />
        <button type="submit" className="btn small">
          Compare
        </button>
      </form>
      {from !== null && to !== null && (
        <>
          <h3>
            From {from.name} to {to.name}
          </h3>
          <Differences differences={compareVersions(kind, from.version, to.version)} />
        </>
      )}
    </Section>
  )
}

/** Newest first; current version before them all. */
function choicesOf(
  { now }: AdminPage,
  entries: readonly HistoryEntry[],
  current: Version | null,
): readonly Choice[] {
  const present = current === null ? [] : [{ key: 'now', name: 'current version', version: current }]
  const earlier = entries.flatMap(({ row }) => {
    const version = row.after === null ? null : versionIn(row)
    const name = `change ${row.seq} (${timeAgo(row.time, now)})`
    return version === null ? [] : [{ key: String(row.seq), name, version }]
  })
  return [...present, ...earlier]
}
