/** What changed, field by field: the name beside what stood there, and what stands there now. */
import type { FieldDifference } from '#lib/admin/configuration/compare-documents.ts'

/** More of them, such as those of something new, fold away. */
const shownOpen = 12

export function Differences({ differences }: { readonly differences: readonly FieldDifference[] }) {
  const told = differences.filter(({ before, after }) => isThere(before) || isThere(after))
  if (told.length === 0) return <p className="small muted">No field changed.</p>
  if (told.length <= shownOpen) return <DifferenceList differences={told} />
  return (
    <details>
      <summary>{told.length} fields</summary>
      <DifferenceList differences={told} />
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
            {isThere(before) && <del>{textOf(before)}</del>}
            {isThere(after) && <ins>{textOf(after)}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What never had a value is not worth a line. */
function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every(item => typeof item === 'string'))
    return value.join('\n') || '(empty)'
  return typeof value === 'string' ? value || '(empty)' : JSON.stringify(value, null, 2)
}
