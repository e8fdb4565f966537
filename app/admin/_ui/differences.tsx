/** What changed, field by field. */
import type { FieldDifference } from '#lib/admin/configuration/compare-documents.ts'

export function Differences({ differences }: { readonly differences: readonly FieldDifference[] }) {
  if (differences.length === 0) return <p className="small muted">No field changed.</p>
  return (
    <dl className="differences">
      {differences.map(({ field, before, after }) => (
        <div key={field}>
          <dt className="mono small">{field}</dt>
          <dd>
            {before !== undefined && before !== null && <del>{textOf(before)}</del>}
            {after !== undefined && after !== null && <ins>{textOf(after)}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every(item => typeof item === 'string'))
    return value.join('\n') || '(empty)'
  return typeof value === 'string' ? value || '(empty)' : JSON.stringify(value, null, 2)
}
