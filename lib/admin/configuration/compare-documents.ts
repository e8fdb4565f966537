/** Finds the differences between two documents, field by field. */

import type { TargetKind } from '#lib/ports/admin-store.ts'
import { type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { clientMetadataSchema, defaultResponseTypes } from '#lib/protocol/registration/client.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { policiesSchema } from '#lib/protocol/registration/policies.ts'
import { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'

/** `before` and `after` are `undefined` if the document does not have the field. */
export type FieldDifference = {
  readonly field: string
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

type Document = JsonValue | null | undefined

/**
 * Compares top-level fields. The fields of `after` come first, in their order, then fields that only `before` has. The order of
 * keys within a field does not matter.
 */
export function compareDocuments(before: Document, after: Document): readonly FieldDifference[] {
  const left = fieldsOf(before)
  const right = fieldsOf(after)
  return [...new Set([...Object.keys(right), ...Object.keys(left)])]
    .filter(field => canonicalJson(left[field]) !== canonicalJson(right[field]))
    .map(field => ({ field, before: left[field], after: right[field] }))
}

/** JSON with sorted keys, so that equal documents give equal text. */
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
  policies: policiesSchema,
}

/**
 * Compares two versions of an object. In clients, scopes and policies a field that is left out equals its default. The documents are
 * compared as they are stored if the object was created or deleted, or if this release cannot read one of them.
 */
export function compareVersions(
  kind: TargetKind,
  before: JsonValue | null,
  after: JsonValue | null,
): readonly FieldDifference[] {
  const [left, right] = [withDefaults(kind, before), withDefaults(kind, after)]
  return left === null || right === null ? compareDocuments(before, after) : compareDocuments(left, right)
}

/**
 * Adds the defaults to the document of a client, a scope or the policies from an audit row, and keeps its note about secrets. Documents of
 * other objects stay as they are. Returns `null` if there is no document, or if this release cannot read it.
 */
function withDefaults(kind: TargetKind, document: JsonValue | null): JsonValue | null {
  if (!isRecord(document)) return null
  if (kind !== 'client' && kind !== 'scope' && kind !== 'policies') return document
  const { secrets, ...metadata } = document
  const read = schemas[kind].safeParse(metadata)
  if (!read.success) return null
  return jsonValueSchema.parse(JSON.parse(JSON.stringify({ ...read.data, secrets })))
}
