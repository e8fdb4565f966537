/** A registration document as the audit trail keeps it: with the names and ends of its secrets, and nothing else of them (AD-05). */
import { z } from 'zod'
import type { StoredSecret } from '#lib/ports/clients.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'

type Document = Readonly<Record<string, JsonValue>>

/** A name that no field of the document has. */
const field = 'secrets'

/** Without secrets it is the document itself. */
export function auditedDocument(document: Document, secrets: readonly StoredSecret[]): Document {
  if (secrets.length === 0) return document
  const named = secrets.map(({ id, name = null, expiresAt }) => ({
    id,
    name,
    expires_at: expiresAt?.toISOString() ?? null,
  }))
  return { ...document, [field]: named }
}

/** The document in an audit row; `null` if the row has no document. */
export function documentInAudit(audited: JsonValue | null): Document | null {
  if (!isRecord(audited)) return null
  const { [field]: _, ...document } = z.record(z.string(), jsonValueSchema).parse(audited)
  return document
}
