/** Two people changed the same thing: what stands now beside what was about to be saved. Nothing was overwritten. */
import type { FormState } from '#lib/admin/access/flash.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { type FieldLabels, labelOfControl } from './field-labels.ts'
import { Focused } from './focused.tsx'

type ConflictViewProps = {
  readonly conflict: NonNullable<FormState['conflict']>
  readonly fields: FormState['fields']
  readonly labels: FieldLabels
}

export function ConflictView({ conflict, fields, labels }: ConflictViewProps) {
  const rows = differingRows(conflict.current, fields)
  return (
    <Focused className="notice warn" role="alert">
      <div>
        <p className="strong">{conflict.reason}</p>
        {rows.length > 0 && (
          <table className="compare">
            <caption className="small">
              Your version is in the form below. Save it to replace what stands now, or leave the page to keep
              that.
            </caption>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Stands now</th>
                <th scope="col">Yours</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, now, yours }) => (
                <tr key={name}>
                  <th scope="row">{labelOfControl(name, labels)}</th>
                  <td className="mono">{now}</td>
                  <td className="mono">{yours}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Focused>
  )
}

function differingRows(current: unknown, fields: FormState['fields']) {
  const stored = flat(current)
  return Object.entries(fields)
    .filter(([name]) => name !== 'version')
    .map(([name, values]) => ({ name, now: textOf(stored[name]), yours: values.at(-1) ?? '' }))
    .filter(({ now, yours }) => now !== null && normal(now) !== normal(yours))
    .map(row => ({ ...row, now: row.now ?? '' }))
}

/** The form's fields stand beside each other where the document puts some of them together. */
function flat(current: unknown): Readonly<Record<string, unknown>> {
  const record = isRecord(current) ? current : {}
  const { metadata, claims, ...rest } = record
  if (isRecord(metadata)) return metadata
  return isRecord(claims) ? { ...rest, ...claims } : record
}

/** `null` for what the stored thing does not have under that name. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return value.map(String).join('\n')
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

function normal(text: string): string {
  return text.replace(/\r\n/g, '\n').trim()
}
