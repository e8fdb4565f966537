/** A scope as admins read and write it: its registration document, without secrets. */
import { z } from 'zod'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { ScopeRecord } from '#lib/ports/configuration-store.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { plainMessage } from '#lib/protocol/configuration-problems.ts'
import { jsonValueSchema } from '#lib/protocol/json-value.ts'
import { type ScopeMetadataRead, scopeMetadataSchema } from '#lib/protocol/scope-metadata.ts'
import { standardScope } from '#lib/protocol/standard-scopes.ts'
import { type AdminResult, invalid, ok } from '../admin-result.ts'
import { disabledSignIn } from '../reserved-names.ts'
import { secretDates, secretDatesSchema } from '../secrets/secret-dates.ts'
import { fieldErrors, fieldSentence } from '../use-case.ts'
import { repeatedLanguages } from './scope-form.ts'

export type ScopeDocument = Readonly<Record<string, JsonValue>>

export const scopeViewSchema = z.object({
  name: z.string(),
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  /** One of OpenID Connect's or ours: it can be disabled, not deleted. */
  is_standard: z.boolean(),
  metadata: z.record(z.string(), jsonValueSchema),
  secrets: z.array(secretDatesSchema),
})

export type ScopeView = z.infer<typeof scopeViewSchema>
export type StoredScope = NonNullable<Awaited<ReturnType<AdminLists['scope']>>>

/** The stored scope as the API answers it. */
export function scopeView(stored: StoredScope): ScopeView {
  return {
    name: stored.name,
    version: stored.version,
    created_at: stored.createdAt.toISOString(),
    updated_at: stored.updatedAt.toISOString(),
    is_standard: standardScope(stored.name) !== null,
    metadata: scopeDocument(stored),
    secrets: stored.secretDates.map(secretDates),
  }
}

/** The document as stored. */
export function scopeDocument({ metadata }: Pick<ScopeRecord, 'metadata'>): ScopeView['metadata'] {
  return z.record(z.string(), jsonValueSchema).parse(metadata)
}

/** The document that an admin wants to store, or what is wrong with it. */
export function checkedScope(wanted: ScopeDocument): AdminResult<ScopeMetadataRead> {
  const [repeated] = repeatedLanguages(wanted.localized)
  if (repeated !== undefined)
    return invalid('metadata.localized', `"${repeated}" stands in several rows: keep one of them.`)
  const read = scopeMetadataSchema.safeParse(wanted, { error: plainMessage })
  if (!read.success) return { kind: 'invalid', errors: fieldErrors(read.error, ['metadata']) }
  const standard = standardScope(read.data.name)
  if (standard !== null && standard.kind !== read.data.kind)
    return invalid('metadata.kind', `Must stay "${standard.kind}": this is a standard scope.`)
  const disabled = disabledSignIn(read.data)
  if (disabled !== null) return invalid('metadata.enabled', fieldSentence(disabled))
  return ok(read.data)
}
