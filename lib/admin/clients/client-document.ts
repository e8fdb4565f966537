/** A client as admins read and write it: its registration document, without secrets. */
import { z } from 'zod'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { ClientRecord } from '#lib/ports/configuration-store.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { clientKindSchema } from '#lib/protocol/client-kind.ts'
import { clientMetadataSchema } from '#lib/protocol/client-metadata.ts'
import { jsonValueSchema } from '#lib/protocol/json-value.ts'
import { scopeWords } from '#lib/protocol/scope.ts'
import { mayTouchScope } from '../access/permissions.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type AdminResult, denied, invalid } from '../admin-result.ts'
import { imitatedName } from '../imitated-names.ts'
import { reservedClientId } from '../reserved-names.ts'
import { secretDates, secretDatesSchema } from '../secrets/secret-dates.ts'
import { type Deed, fieldSentence } from '../use-case.ts'

export const clientViewSchema = z.object({
  client_id: z.string(),
  kind: clientKindSchema,
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  last_used_at: z.string().nullable(),
  metadata: z.record(z.string(), jsonValueSchema),
  secrets: z.array(secretDatesSchema),
})

export type ClientView = z.infer<typeof clientViewSchema>
export type StoredClient = NonNullable<Awaited<ReturnType<AdminLists['client']>>>

/** The stored client as the API answers it. */
export function clientView(stored: StoredClient): ClientView {
  return {
    client_id: stored.clientId,
    kind: stored.kind,
    version: stored.version,
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
    last_used_at: stored.lastUsedAt?.toISOString() ?? null,
    metadata: documentOf(stored),
    secrets: stored.secretDates.map(secretDates),
  }
}

/** The document as stored: fields that were never set are not in it. */
export function documentOf({ metadata }: Pick<ClientRecord, 'metadata'>): ClientView['metadata'] {
  return z.record(z.string(), jsonValueSchema).parse(metadata)
}

/**
 * Checks a document that an admin wants to store. A client must not be named like this site (CN-09), and only owners
 * open the administration to a client (AD-03).
 */
export function checkedDocument(
  ports: Pick<AdminPorts, 'siteName'>,
  wanted: Readonly<Record<string, JsonValue>>,
  { actor }: Pick<Deed, 'actor'>,
): AdminResult<JsonValue> {
  const read = clientMetadataSchema.parse(wanted)
  const reserved = reservedClientId(read.client_id)
  if (reserved !== null) return invalid('metadata.client_id', fieldSentence(reserved))
  const name = read.client_name
  const own = name === undefined ? null : imitatedName(name, ports.siteName)
  if (own !== null)
    return invalid('metadata.client_name', `This looks like "${own}", the sign-in itself. Name the app.`)
  if (!scopeWords(read.scope).every(scope => mayTouchScope(actor.role, scope)))
    return denied('Only owners may let a client administer this service.')
  return { kind: 'ok', value: JSON.parse(JSON.stringify(wanted)) }
}
