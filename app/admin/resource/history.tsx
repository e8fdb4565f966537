/** The changes of one resource, newest first, to compare and restore. */

import { compareVersions } from '#lib/admin/configuration/compare-documents.ts'
import { type HistoryEntry, type Version, versionIn } from '#lib/admin/configuration/history.ts'
import { changeNames } from '#lib/admin/names.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { Differences } from '../_ui/differences.tsx'
import { type Option, SelectField, TextField } from '../_ui/fields.tsx'
import { AdminForm, type FormUseCase, fieldState } from '../_ui/form.tsx'
import { EmptyState, Section } from '../_ui/page-parts.tsx'
import { timeAgo } from '../_ui/time-words.ts'
import type { AdminPage } from '../admin-page.tsx'
import { ChangeEntry } from '../changes/change-entry.tsx'

type HistoryProps = {
  readonly page: AdminPage
  readonly entries: readonly HistoryEntry[]
  /** The current version; `null` if the object was deleted. */
  readonly current: Version | null
  readonly restore: Restoring
  readonly asksSecret?: ((version: Version | null) => boolean) | undefined
}

type Restoring = {
  readonly useCase: FormUseCase
  /** Hidden fields with the ID and the version of the object. */
  readonly hidden: Readonly<Record<string, string | number>>
}

export async function History({ page, entries, current, restore, asksSecret }: HistoryProps) {
  const [latest] = entries
  if (latest === undefined)
    return (
      <EmptyState title="No changes yet">
        Admin changes are listed here, with previous values. Changes by the configuration file are not.
      </EmptyState>
    )
  const isSecretAsked = asksSecret?.(versionIn(latest.row)) ?? false
  // The current version needs no button. A deleted object that requires a secret has one button only, for its latest version, so
  // that the page has one field for the secret
  const isRestorable = (index: number) => (current === null ? index === 0 || !isSecretAsked : index > 0)
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
            {...{ row, differences, names }}
            now={page.now}
            action={
              isRestorable(index) && versionIn(row) !== null ? (
                <RestoreForm
                  {...{ page, restore, isSecretAsked }}
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

type RestoreFormProps = Pick<HistoryProps, 'page' | 'restore'> & {
  readonly isSecretAsked: boolean
  readonly seq: number
  readonly label: string
}

/** A button that restores a version. Admins who may not restore do not see it. */
function RestoreForm({ page, restore, isSecretAsked, seq, label }: RestoreFormProps) {
  const { useCase, hidden } = restore
  if (page.reasonAgainst(useCase.permission) !== null) return null
  return (
    <AdminForm page={page} useCase={useCase} hidden={{ ...hidden, seq }}>
      {isSecretAsked && (
        <TextField
          {...fieldState(page, useCase, { client_secret: 'Client secret' }).text('client_secret')}
          help="It was deleted, too; leave this empty if the provider gave none."
          type="password"
        />
      )}
      <button type="submit" className="btn small">
        {label}
      </button>
    </AdminForm>
  )
}

type Choice = { readonly key: string; readonly name: string; readonly version: Version }

/** Compares two versions, which the address names, field by field. */
function CompareVersions({ page, entries, current }: Pick<HistoryProps, 'page' | 'entries' | 'current'>) {
  // All entries have the same kind, because they are about one object
  const kind = entries[0]?.row.targetKind ?? 'configuration'
  const choices = choicesOf(page, entries, current)
  // The current version equals the newest change, so by default it is compared with the change before that
  const [newest, second, third = second] = choices
  if (newest === undefined || second === undefined) return null
  const earlier = current === null ? second : third
  const from = choices.find(({ key }) => key === page.query.from) ?? null
  const to = choices.find(({ key }) => key === page.query.to) ?? null
  const options = choices.map(({ key, name }): Option => [key, name])
  const select = (name: string, label: string, value: string | undefined) => (
    <SelectField name={name} label={label} value={value ?? ''} options={options} error={null} />
  )
  return (
    <Section title="Compare" id="compare">
      <form className="inline-form" method="get" action={browserAddress(`${page.path}#compare`)}>
        {select('from', 'From', from?.key ?? earlier?.key)}
        {select('to', 'To', to?.key ?? newest.key)}
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

/** The current version and the earlier ones, newest first. */
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
