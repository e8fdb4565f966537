/** Writes the report of an import for the operator. */
import type { ImportPlan } from './plan-import.ts'
import { importedKinds, outcomes, type PlacedNote } from './planning.ts'
import type { CollectedExport } from './source/tables.ts'

const kindNames = {
  scope: 'scopes',
  client: 'clients',
  user: 'users',
  consent: 'consents',
  login: 'logins',
  token: 'tokens',
} as const

/** The maximum number of names in one line of the report. */
const named = 5
const longestName = 60
const longestLine = 600

type Read = Pick<CollectedExport, 'problems' | 'unknown'> & { readonly orphans: ReadonlyMap<string, number> }

/** Makes the report: the counts, and a line for each finding. Equal notes of the kinds `kept` and `changed` share a line. */
export function reportOf(plan: ImportPlan, read: Read): string {
  const notes = plan.notes.map(note => ({ ...note, id: plan.usernames.get(note.place) ?? note.id }))
  const sections = [
    table(plan),
    section('As before, by a setting', grouped(notes.filter(({ kind }) => kind === 'kept'))),
    section('Different from before', grouped(notes.filter(({ kind }) => kind === 'changed'))),
    section('Left out', notes.filter(({ kind }) => kind === 'left_out').map(lineOf)),
    section('Refused', [
      ...read.problems.map(({ place, problem }) => `${place}: ${problem}`),
      ...notes.filter(({ kind }) => kind === 'refused').map(lineOf),
    ]),
    section('Not read', unread(read)),
  ]
  return sections.filter(text => text !== '').join('\n')
}

/** Whether the report has a line in the section "Left out" or "Refused". */
export function hasRefusals(
  { notes }: Pick<ImportPlan, 'notes'>,
  { problems }: Pick<Read, 'problems'>,
): boolean {
  return problems.length > 0 || notes.some(({ kind }) => kind === 'refused' || kind === 'left_out')
}

function table({ counts }: ImportPlan): string {
  // Refused consents, logins and tokens do not stop an import, so the column is called "not imported"
  const heading = ['', ...outcomes].map(word =>
    (word === 'refused' ? 'not imported' : word).padStart(widthOf(word)),
  )
  const rows = importedKinds.map(kind =>
    [
      kindNames[kind].padEnd(widthOf('')),
      ...outcomes.map(outcome => String(counts[kind][outcome]).padStart(widthOf(outcome))),
    ].join(''),
  )
  return `${[heading.join(''), ...rows].join('\n')}\n`
}

function widthOf(outcome: string): number {
  return outcome === 'refused' ? 14 : 10
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0
    ? ''
    : `${title}\n${lines.map(line => `  ${shown(line, longestLine)}\n`).join('')}`
}

/** Groups notes with the same text: `480 clients (mvc, spa, …): Flow: PKCE is not required`. */
function grouped(notes: readonly PlacedNote[]): readonly string[] {
  const groups = Map.groupBy(notes, note => `${note.of} ${note.field} ${note.text}`)
  return [...groups.values()].map(group =>
    group.length === 1 ? group.map(lineOf).join('') : groupLine(group),
  )
}

function groupLine(group: readonly PlacedNote[]): string {
  const [{ of, field, text } = { of: 'client' as const, field: '', text: '' }] = group
  const names = group.slice(0, named).map(nameOf)
  const more = group.length > named ? ', …' : ''
  return `${group.length} ${kindNames[of]} (${names.join(', ')}${more}): ${about(field, text)}`
}

function lineOf(note: PlacedNote): string {
  return `${note.place} ${nameOf(note)}: ${about(note.field, note.text)}`
}

function nameOf({ id }: PlacedNote): string {
  return id === null ? '(without a name)' : shown(id, longestName)
}

function about(field: string, text: string): string {
  return field === '' ? text : `${field}: ${text}`
}

/** Makes a text of the export safe to print: control characters are replaced, and long texts are cut. */
function shown(text: string, longest: number): string {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
  return plain.length > longest ? `${plain.slice(0, longest)}…` : plain
}

function rowsText(rows: number): string {
  return rows === 1 ? '1 row' : `${rows} rows`
}

function unread({ unknown, orphans }: Read): readonly string[] {
  return [
    ...[...unknown].map(
      ([name, rows]) => `${shown(name, longestName)}: not a table of this product (${rowsText(rows)})`,
    ),
    ...[...orphans].map(
      ([name, rows]) =>
        `${name}: ${rowsText(rows)} of which the export does not have the row of the main table`,
    ),
  ]
}
