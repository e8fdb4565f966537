/** What applying a configuration document would change, found without changing anything. */
import { z } from 'zod'
import type { AuditEntry, Expected } from '#lib/ports/admin-store.ts'
import type { ConfigurationChanges } from '#lib/ports/configuration-store.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { jsonValueSchema } from '#lib/protocol/claims.ts'
import type { ConfigurationFile } from '#lib/protocol/registration/configuration-file.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import type { AdminPorts } from '../admin-ports.ts'
import type { AdminCall } from '../use-case.ts'
import { canonicalJson, compareDocuments } from './compare-documents.ts'
import { type WantedItem, wantedItems } from './wanted-items.ts'

const differenceSchema = z.object({
  field: z.string(),
  before: jsonValueSchema.optional(),
  after: jsonValueSchema.optional(),
})

export const planSchema = z.object({
  /** Names exactly these changes; applying wants it back. */
  digest: z.string(),
  changes: z.array(
    z.object({
      kind: z.enum(['client', 'scope', 'user', 'provider']),
      id: z.string(),
      change: z.enum(['added', 'changed']),
      differences: z.array(differenceSchema),
      /** A sentence, when something remains to be done by hand. */
      note: z.string().nullable(),
    }),
  ),
  unchanged: z.number(),
})

export type Plan = z.infer<typeof planSchema>

export type Planned = {
  readonly plan: Plan
  readonly put: ConfigurationChanges['put']
  readonly expected: readonly Expected[]
  readonly audit: readonly AuditEntry[]
}

/**
 * Compares documents with their defaults filled in, so that an explicit default is not a change. Objects that the document
 * does not contain are kept, and so are stored secrets and passwords.
 */
export async function planConfiguration(
  ports: AdminPorts,
  { wanted, isDryRun }: { readonly wanted: ConfigurationFile; readonly isDryRun: boolean },
  call: AdminCall,
): Promise<Planned> {
  const items = await wantedItems(ports, wanted, isDryRun)
  const changed = items.filter(isChange)
  return {
    plan: planOf(ports, changed, items.length - changed.length),
    put: {
      clients: changed.flatMap(({ put }) => put.clients ?? []),
      scopes: changed.flatMap(({ put }) => put.scopes ?? []),
      users: changed.flatMap(({ put }) => put.users ?? []),
      providers: changed.flatMap(({ put }) => put.providers ?? []),
    },
    expected: changed.map(({ expected }) => expected),
    audit: changed.map(item => call.entry({ ...item, after: withNote(item) })),
  }
}

function isChange({ before, after, setsSecrets }: WantedItem): boolean {
  return setsSecrets || canonicalJson(before) !== canonicalJson(after)
}

/** A new secret or password leaves no other trace in documents. */
function withNote({ kind, after, setsSecrets }: WantedItem): JsonValue {
  if (!setsSecrets || !isRecord(after)) return after
  if (kind === 'user') return { ...after, password: 'set' }
  return kind === 'provider' ? { ...after, secret_changed: true } : after
}

function planOf(
  { hashing }: Pick<AdminPorts, 'hashing'>,
  items: readonly WantedItem[],
  unchanged: number,
): Plan {
  const changes = items.map(({ kind, id, before, after, note }) => ({
    kind,
    id,
    change: before === null ? ('added' as const) : ('changed' as const),
    differences: compareDocuments(before, after).map(difference => ({ ...difference })),
    note,
  }))
  return { digest: hashing.digest(canonicalJson(items.map(factsOf))), changes, unchanged }
}

/** What must be the same when it is applied. */
function factsOf({ kind, id, isIdMade = false, expected, after }: WantedItem): JsonValue {
  if (!isIdMade || !isRecord(after)) return [kind, id, expected.version, after]
  return [kind, null, expected.version, { ...after, sub: null }]
}
