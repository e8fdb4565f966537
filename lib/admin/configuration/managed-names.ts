/** What the configuration made, so that what it no longer names can go. Kept in the store's meta facts. */
import { z } from 'zod'
import type { Configuration, Meta } from '#lib/ports/configuration-store.ts'
import { clientIdSchema, providerSchemeSchema, scopeNameSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import type { LoadedConfiguration } from './load-configuration.ts'

const managedNamesSchema = z.object({
  source: z.enum(['file', 'demo', 'none']),
  clients: z.array(clientIdSchema),
  scopes: z.array(scopeNameSchema),
  users: z.array(subjectIdSchema),
  providers: z.array(providerSchemeSchema),
})

export type ManagedNames = z.infer<typeof managedNamesSchema>

/** The name in `Meta`. */
export const managedNamesMeta = 'configuration_names'

/** What the last start made; nothing before the first one. */
export async function findManagedNames(meta: Pick<Meta, 'find'>): Promise<ManagedNames> {
  const text = await meta.find(managedNamesMeta)
  if (text === null) return { source: 'none', clients: [], scopes: [], users: [], providers: [] }
  return managedNamesSchema.parse(JSON.parse(text))
}

/** What sets this back at the next start, whatever is changed here; `null`: nothing does. */
export async function setBackBy(
  meta: Meta,
  kind: Exclude<keyof ManagedNames, 'source'>,
  id: string,
): Promise<'file' | 'demo' | null> {
  const { source, ...names } = await findManagedNames(meta)
  if (source === 'none' || !names[kind].some(name => name === id)) return null
  return source
}

/**
 * What to apply, given what is stored: where a file made the data, a demo that nobody asked for by name stays out, since
 * forgetting `LATCHKEY_CONFIG` once must not cost an installation its clients.
 */
export async function keepWhatAFileMade(
  meta: Meta,
  loaded: LoadedConfiguration,
  isDemoAsked: boolean,
): Promise<LoadedConfiguration> {
  if (loaded.source !== 'demo' || isDemoAsked) return loaded
  const { source } = await findManagedNames(meta)
  if (source !== 'file') return loaded
  const nothing = { clients: [], scopes: [], users: [], identity_providers: [] }
  return { source: 'none', configuration: nothing }
}

/** To be stored with what it tells of. */
export function metaOfNames(names: ManagedNames): Readonly<Record<string, string>> {
  return { [managedNamesMeta]: JSON.stringify(names) }
}

/** Scopes count as made by the configuration only when it names them: the standard ones are there anyway. */
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
  }
}

/** Of `before`, what `after` no longer names. */
export function droppedNames(before: ManagedNames, after: ManagedNames): Omit<ManagedNames, 'source'> {
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
