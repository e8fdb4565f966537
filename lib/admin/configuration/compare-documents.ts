/** What differs between two documents, field by field. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'

/** `before` or `after` is `undefined` where the field is not given. */
export type FieldDifference = {
  readonly field: string
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

type Document = JsonValue | null | undefined

/** Top-level fields, in the order of `after`, then what only `before` has. The order of keys inside does not matter. */
export function compareDocuments(before: Document, after: Document): readonly FieldDifference[] {
  const left = fieldsOf(before)
  const right = fieldsOf(after)
  return [...new Set([...Object.keys(right), ...Object.keys(left)])]
    .filter(field => canonicalJson(left[field]) !== canonicalJson(right[field]))
    .map(field => ({ field, before: left[field], after: right[field] }))
}

/** JSON with sorted keys: equal documents give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => (isRecord(inner) ? sorted(inner) : inner)) ?? ''
}

function sorted(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)))
}

function fieldsOf(document: Document): Readonly<Record<string, JsonValue>> {
  return isObject(document) ? document : {}
}

function isObject(document: Document): document is Readonly<Record<string, JsonValue>> {
  return isRecord(document)
}
