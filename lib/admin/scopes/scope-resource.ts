/**
 * The scope as a resource of the dashboard: how it is found, checked, stored and shown. Admins see its registration document
 * without secrets.
 */
import { z } from 'zod'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { ScopeRecord } from '#lib/ports/configuration-store.ts'
import { type JsonValue, jsonValueSchema } from '#lib/protocol/claims.ts'
import { type ScopeName, scopeNameSchema } from '#lib/protocol/ids.ts'
import { plainMessage } from '#lib/protocol/registration/configuration-problems.ts'
import {
  checkNewScope,
  type ScopeMetadataRead,
  scopeMetadataSchema,
  standardScope,
} from '#lib/protocol/registration/scope.ts'
import {
  type AdminResult,
  errorFor,
  type FieldError,
  fieldErrors,
  mergeErrors,
  ok,
  prefixErrors,
} from '../admin-result.ts'
import { disabledSignIn } from '../configuration/document-problems.ts'
import type { Resource } from '../resource/resource.ts'
import { auditedDocument, secretDates, secretDatesSchema } from '../resource/secrets.ts'
import { viewOf } from '../view.ts'
import { isAboutRepeated, repeatedLanguages } from './scope-form.ts'

export type ScopeDocument = Readonly<Record<string, JsonValue>>

export const scopeViewSchema = z.object({
  name: z.string(),
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Whether OpenID Connect or this server defines the scope. Such a scope cannot be deleted, and `openid` not even disabled. */
  is_standard: z.boolean(),
  metadata: z.record(z.string(), jsonValueSchema),
  secrets: z.array(secretDatesSchema),
})

export type ScopeView = z.infer<typeof scopeViewSchema>
export type StoredScope = NonNullable<Awaited<ReturnType<AdminLists['scope']>>>

type ScopeTypes = {
  readonly field: 'name'
  readonly id: ScopeName
  readonly row: ScopeRecord
  readonly extra: Pick<StoredScope, 'secretDates'>
  readonly view: ScopeView
}

export const scopes: Resource<ScopeTypes> = {
  kind: 'scope',
  area: 'scopes',
  idField: 'name',
  idSchema: scopeNameSchema,
  readId: given => scopeNameSchema.parse(given),
  idOf: ({ name }) => name,
  find: ({ adminLists }, name) => adminLists.scope(name),
  view: (_ports, stored) => scopeView(stored),
  viewSchema: scopeViewSchema,
  audited: row => auditedDocument(scopeDocument(row), row.secrets),
  current: stored => ({ version: stored.version, metadata: scopeDocument(stored) }),
  check: async (_ports, { row }) => {
    const metadata = { ...scopeDocument(row), name: row.name }
    const checked = checkedScope(metadata)
    return checked.kind === 'ok' ? ok({ ...row, metadata }) : checked
  },
  put: (record, expectedVersion) => ({ kind: 'put', of: 'scope', record, expectedVersion }),
  remove: (id, expectedVersion) => ({ kind: 'remove', of: 'scope', id, expectedVersion }),
  withEnabled: (row, enabled) => ({ ...row, metadata: { ...scopeDocument(row), enabled } }),
}

/** The stored scope in the format of the API. */
export function scopeView(stored: StoredScope): ScopeView {
  return viewOf(scopeViewSchema, stored, {
    is_standard: standardScope(stored.name) !== null,
    metadata: scopeDocument(stored),
    secrets: stored.secretDates.map(secretDates),
  })
}

/** The registration document as stored. */
export function scopeDocument({ metadata }: Pick<ScopeRecord, 'metadata'>): ScopeView['metadata'] {
  return z.record(z.string(), jsonValueSchema).parse(metadata)
}

const newScopeSchema = scopeMetadataSchema.superRefine(checkNewScope)

/** Returns the document to store, or its errors, with `found`: errors in the name of a new scope. */
export function checkedScope(
  document: ScopeDocument,
  found: readonly FieldError[] = [],
): AdminResult<ScopeMetadataRead> {
  const read = newScopeSchema.safeParse(document, { error: plainMessage })
  const refused = read.success ? [] : fieldErrors(read.error).filter(error => !isAboutRepeated(error))
  const own = mergeErrors(languageErrors(document), refused)
  const errors = mergeErrors(found, mergeErrors(own, found.length > 0 ? [] : standardErrors(document)))
  if (read.success && errors.length === 0) return ok(read.data)
  return { kind: 'invalid', errors: prefixErrors('metadata', errors) }
}

function languageErrors({ localized }: ScopeDocument): readonly FieldError[] {
  const [repeated] = repeatedLanguages(localized)
  return errorFor(
    'localized',
    repeated === undefined ? null : `"${repeated}" is in several rows: keep one of them.`,
  )
}

/** Refuses a different kind for a standard scope, and disabling `openid`. */
function standardErrors(document: ScopeDocument): readonly FieldError[] {
  const { name, kind } = document
  const standard = typeof name === 'string' ? standardScope(name) : null
  const isOther = standard !== null && standard.kind !== (kind ?? 'resource')
  return [
    ...errorFor('kind', isOther ? `Must stay "${standard.kind}": this is a standard scope.` : null),
    ...errorFor('enabled', disabledSignIn(document)),
  ]
}
