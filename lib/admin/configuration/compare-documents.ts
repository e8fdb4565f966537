/** What differs between two documents, field by field. */

import type { TargetKind } from '#lib/ports/admin-store.ts'
import { type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { clientMetadataSchema, defaultResponseTypes } from '#lib/protocol/registration/client.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'

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

const schemas = {
  client: clientMetadataSchema.transform(read => ({
    ...read,
    response_types: read.response_types ?? defaultResponseTypes(read.grant_types),
  })),
  scope: scopeMetadataSchema,
}

/**
 * The differences of two versions of one thing. A field that is left out equals its default. For what was created or
 * deleted, only the written fields are listed.
 */
export function compareVersions(
  kind: TargetKind,
  before: JsonValue | null,
  after: JsonValue | null,
): readonly FieldDifference[] {
  const [left, right] = [withDefaults(kind, before), withDefaults(kind, after)]
  return left === null || right === null ? compareDocuments(before, after) : compareDocuments(left, right)
}

/** `null`: not a document that the server can read. The secrets in the audit row are kept. */
function withDefaults(kind: TargetKind, document: JsonValue | null): JsonValue | null {
  if (!isRecord(document)) return null
  if (kind !== 'client' && kind !== 'scope') return document
  const { secrets, ...metadata } = document
  const read = schemas[kind].safeParse(metadata)
  if (!read.success) return null
  return jsonValueSchema.parse(JSON.parse(JSON.stringify({ ...read.data, secrets })))
}
