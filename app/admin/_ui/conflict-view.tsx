/** Shows, above a form that is based on an outdated version, which of its fields differ from the stored ones. */
import type { RejectedForm } from '#lib/admin/access/admin-session.ts'
import { canonicalJson } from '#lib/admin/configuration/compare-documents.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { Focused } from './focused.tsx'

type ConflictViewProps = {
  readonly conflict: NonNullable<RejectedForm['conflict']>
  readonly fields: RejectedForm['fields']
  readonly labelOf: (field: string) => string
  /** The texts of the form for the current version, defaults included. */
  readonly shown: ShownTexts
}

type ShownTexts = Readonly<Record<string, readonly string[]>>

export function ConflictView({ conflict, fields, labelOf, shown }: ConflictViewProps) {
  const rows = differingRows(conflict.current, fields, shown)
  return (
    <Focused className="notice warn" role="alert">
      <div>
        <p className="strong">{conflict.reason}</p>
        {rows.length > 0 && (
          <table className="compare">
            <caption className="small">
              Your changes are in the form below. Save to overwrite the current version, or leave the page to
              keep it.
            </caption>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Current</th>
                <th scope="col">Yours</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, now, yours }) => (
                <tr key={name}>
                  <th scope="row">{labelOf(name)}</th>
                  <Value text={now} />
                  <Value text={yours} />
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Focused>
  )
}

function Value({ text }: { readonly text: string }) {
  return text === '' ? <td className="muted">empty</td> : <td className="mono">{text}</td>
}

type DifferingRow = { readonly name: string; readonly now: string; readonly yours: string }

/**
 * The fields whose posted value differs in meaning from the current one. The order of check boxes, list entries and JSON members
 * does not matter. A field that is not stored, such as one that was emptied, is compared with its text in `shown`.
 */
export function differingRows(
  current: unknown,
  fields: RejectedForm['fields'],
  shown: ShownTexts,
): readonly DifferingRow[] {
  const stored = flat(current)
  return Object.entries(fields).flatMap(([name, posted]) => {
    const value = stored[name] ?? null
    const texts = Object.hasOwn(shown, name) ? shown[name] : undefined
    if (name === 'version' || (value === null && texts === undefined)) return []
    const [now, yours] =
      value === null
        ? [linesIn(texts ?? []), linesIn(isOfBoxes(posted) ? posted : posted.slice(-1))]
        : [storedParts(value, posted), postedParts(value, posted)]
    return isSame(now, yours) ? [] : [{ name, now: now.join('\n'), yours: yours.join('\n') }]
  })
}

/** The current fields by their names in the form, which does not nest them in `metadata` or `claims`. */
function flat(current: unknown): Readonly<Record<string, unknown>> {
  const record = isRecord(current) ? current : {}
  const { metadata, claims, ...rest } = record
  if (isRecord(metadata)) return metadata
  return isRecord(claims) ? { ...rest, ...claims } : record
}

/** Whether the values are those of check boxes with at least one ticked: an empty text, then a text for each ticked box. */
function isOfBoxes(posted: readonly string[]): boolean {
  return posted.length > 1 && posted[0] === ''
}

function storedParts(value: unknown, posted: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.map(String)
  if (typeof value === 'object') return Object.keys(value ?? {}).length === 0 ? [] : [jsonText(value)]
  return isOfBoxes(posted) ? wordsIn(String(value)) : partsOf(String(value))
}

function postedParts(value: unknown, posted: readonly string[]): readonly string[] {
  if (isOfBoxes(posted)) return posted.slice(1)
  const text = posted.at(-1) ?? ''
  if (Array.isArray(value)) return text.split('\n').map(normal).filter(isFilled)
  return typeof value === 'object' ? partsOf(text).map(readJson) : partsOf(text)
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.map(normal).toSorted().join('\n') === right.map(normal).toSorted().join('\n')
}

function linesIn(texts: readonly string[]): readonly string[] {
  return texts.flatMap(text => normal(text).split('\n')).filter(isFilled)
}

function partsOf(text: string): readonly string[] {
  return [text].filter(isFilled)
}

function wordsIn(text: string): readonly string[] {
  return text.split(/\s+/).filter(isFilled)
}

function isFilled(text: string): boolean {
  return normal(text) !== ''
}

function readJson(text: string): string {
  try {
    return jsonText(JSON.parse(text))
  } catch {
    return text
  }
}

function jsonText(value: unknown): string {
  return JSON.stringify(JSON.parse(canonicalJson(value)), null, 2)
}

function normal(text: string): string {
  return text.replace(/\r\n/g, '\n').trim()
}
