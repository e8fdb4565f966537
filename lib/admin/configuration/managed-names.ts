/**
 * The names of the objects in the configuration that was applied last. Objects that the next one does not contain are removed;
 * standard scopes are reset instead, and users of a file locked.
 */
import { z } from 'zod'
import type { Configuration, Meta } from '#lib/ports/configuration-store.ts'
import { clientIdSchema, providerSchemeSchema, scopeNameSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { policiesId } from '#lib/protocol/registration/policies.ts'
import type { LoadedConfiguration } from './load-configuration.ts'

const managedNamesSchema = z.object({
  source: z.enum(['file', 'demo', 'none']),
  clients: z.array(clientIdSchema),
  scopes: z.array(scopeNameSchema),
  users: z.array(subjectIdSchema),
  providers: z.array(providerSchemeSchema),
  // An earlier release stored none
  policies: z.array(z.literal(policiesId)).default([]),
})

export type ManagedNames = z.infer<typeof managedNamesSchema>

/** The key of the names in `Meta`. */
export const managedNamesMeta = 'configuration_names'

/** The names in the configuration that was applied last; no names if none was applied yet. */
export async function findManagedNames(meta: Pick<Meta, 'find'>): Promise<ManagedNames> {
  const text = await meta.find(managedNamesMeta)
  if (text === null)
    return { source: 'none', clients: [], scopes: [], users: [], providers: [], policies: [] }
  return managedNamesSchema.parse(JSON.parse(text))
}

/** The configuration that overwrites changes of this object at the next start; `null` if none does. */
export async function managedBy(
  meta: Meta,
  kind: Exclude<keyof ManagedNames, 'source'>,
  id: string,
): Promise<'file' | 'demo' | null> {
  const { source, ...names } = await findManagedNames(meta)
  if (source === 'none' || !names[kind].some(name => name === id)) return null
  return source
}

/**
 * Replaces a demo that the operator did not request by an empty configuration if a file created the data: forgetting
 * `LATCHKEY_CONFIG` once must not remove the clients of an installation.
 */
export async function withoutUnaskedDemo(
  meta: Meta,
  loaded: LoadedConfiguration,
  isDemoRequested: boolean,
): Promise<LoadedConfiguration> {
  if (loaded.source !== 'demo' || isDemoRequested) return loaded
  const { source } = await findManagedNames(meta)
  if (source !== 'file') return loaded
  const nothing = { clients: [], scopes: [], users: [], identity_providers: [] }
  return { source: 'none', configuration: nothing }
}

/** The entry of `Meta` for these names, which is stored in the transaction of the records. */
export function metaOfNames(names: ManagedNames): Readonly<Record<string, string>> {
  return { [managedNamesMeta]: JSON.stringify(names) }
}

/** The names of a configuration, without the standard scopes that `records` has in addition. */
export function namesOf(
  { source, configuration }: LoadedConfiguration,
  records: Configuration,
): ManagedNames {
  return {
    source,
    clients: records.clients.map(record => record.clientId),
    scopes: configuration.scopes.map(scope => scope.name),
    users: records.users.map(record => record.subject),
    providers: records.providers.map(record => record.scheme),
    policies: configuration.policies === undefined ? [] : [policiesId],
  }
}

/** The names of `before` that `after` does not contain. Policies that the file no longer has stay as they are. */
export function droppedNames(
  before: ManagedNames,
  after: ManagedNames,
): Omit<ManagedNames, 'source' | 'policies'> {
  return {
    clients: without(before.clients, after.clients),
    scopes: without(before.scopes, after.scopes),
    users: without(before.users, after.users),
    providers: without(before.providers, after.providers),
  }
}

function without<T>(left: readonly T[], right: readonly T[]): T[] {
  return left.filter(item => !right.includes(item))
}
