/** A client as admins read and write it: its registration document, without secrets. */
import { z } from 'zod'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { ClientRecord } from '#lib/ports/configuration-store.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import { clientKindSchema } from '#lib/protocol/registration/client.ts'
import { secretDates, secretDatesSchema } from '../secrets/secret-dates.ts'

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
