/** What differs between two stored versions of one thing, as the server reads them. */
import type { TargetKind } from '#lib/ports/admin-store.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import { clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { compareDocuments, type FieldDifference } from './compare-documents.ts'

const schemas = { client: clientMetadataSchema, scope: scopeMetadataSchema }

/**
 * A document that leaves a field out says the same as one that gives its default, so that these do not differ. Of what was
 * created or deleted only the fields are listed that are written.
 */
export function compareVersions(
  kind: TargetKind,
  before: JsonValue | null,
  after: JsonValue | null,
): readonly FieldDifference[] {
  const [left, right] = [withDefaults(kind, before), withDefaults(kind, after)]
  return left === null || right === null ? compareDocuments(before, after) : compareDocuments(left, right)
}

/** `null`: nothing that the server could read. What the audit row says of secrets is kept. */
function withDefaults(kind: TargetKind, document: JsonValue | null): JsonValue | null {
  if (!isRecord(document)) return null
  if (kind !== 'client' && kind !== 'scope') return document
  const { secrets, ...metadata } = document
  const read = schemas[kind].safeParse(metadata)
  if (!read.success) return null
  return jsonValueSchema.parse(JSON.parse(JSON.stringify({ ...read.data, secrets })))
}
