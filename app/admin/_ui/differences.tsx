/** The changed fields, each with its earlier and its new value. */
import type { FieldDifference } from '#lib/admin/configuration/compare-documents.ts'
import { type Marked, markWords } from '#lib/protocol/text/marked-difference.ts'

/** The `fields` and `characters` up to which a list is not folded. New objects with more than 3 fields are always folded. */
const shownOpen = { fields: 8, characters: 1000 }

export function Differences({ differences }: { readonly differences: readonly FieldDifference[] }) {
  const changed = differences.filter(({ before, after }) => isThere(before) || isThere(after))
  if (changed.length === 0) return <p className="small muted">No field changed.</p>
  if (isShort(changed)) return <DifferenceList differences={changed} />
  return (
    <details>
      <summary>{changed.length === 1 ? 'Show the field' : `Show ${changed.length} fields`}</summary>
      <DifferenceList differences={changed} />
    </details>
  )
}

function DifferenceList({ differences }: { readonly differences: readonly FieldDifference[] }) {
  return (
    <dl className="differences">
      {differences.map(({ field, before, after }) => (
        <div className="difference" key={field}>
          <dt className="mono">{field}</dt>
          <dd>
            <Sides before={before} after={after} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The earlier and the new value. If both exist, the words from the first to the last difference are marked. */
function Sides({ before, after }: Pick<FieldDifference, 'before' | 'after'>) {
  if (!isThere(before)) return <ins>{textOf(after)}</ins>
  if (!isThere(after)) return <del>{textOf(before)}</del>
  const [earlier, current] = markWords(textOf(before), textOf(after))
  return (
    <>
      <del>
        <MarkedText marked={earlier} />
      </del>
      <ins>
        <MarkedText marked={current} />
      </ins>
    </>
  )
}

function MarkedText({ marked: { before, changed, after } }: { readonly marked: Marked }) {
  return (
    <>
      {before}
      {changed !== '' && <strong className="changed-words">{changed}</strong>}
      {after}
    </>
  )
}

function isShort(differences: readonly FieldDifference[]): boolean {
  const isNew = differences.length > 3 && differences.every(({ before }) => !isThere(before))
  const texts = differences.flatMap(({ before, after }) => [before, after].filter(isThere).map(textOf))
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  return !isNew && differences.length <= shownOpen.fields && characters <= shownOpen.characters
}

/** Whether there is a value; a field without one on both sides is left out. */
function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every(item => typeof item === 'string'))
    return value.join('\n') || '(empty)'
  return typeof value === 'string' ? value || '(empty)' : JSON.stringify(value, null, 2)
}
