/** Brings the store to what the configuration says. Applying the same one again changes nothing. */
import { ConfigError } from '#lib/errors/config-error.ts'
import {
  type AppliedChanges,
  type Configuration,
  type ConfigurationChanges,
  type ConfigurationStore,
  isConfigurationConflict,
  type Meta,
} from '#lib/ports/configuration-store.ts'
import type { Clock } from '#lib/ports/environment.ts'
import { droppedRecords } from './dropped-records.ts'
import type { LoadedConfiguration } from './load-configuration.ts'
import { factOfNames, findManagedNames, namesOf } from './managed-names.ts'
import { factOfPasswords, findNotedPasswords, notesOf } from './noted-passwords.ts'
import { providerRecords } from './provider-records.ts'
import { clientRecords, scopeRecords } from './registration-records.ts'
import type { ConfiguredStore, Keepers } from './stored-parts.ts'
import { userRecords } from './user-records.ts'

export type ApplyParts = Keepers & {
  readonly storage: ConfiguredStore & { readonly configuration: ConfigurationStore; readonly meta: Meta }
  readonly clock: Clock
}

/**
 * Writes clients, scopes, people and providers, hashing only what is new. What an earlier configuration made and this
 * one no longer names goes: clients, scopes and providers are removed; people are disabled, so that their `sub` is never
 * given to somebody else. Demo people are removed. Without a configuration only the demo and missing standard scopes are
 * touched. Throws a ConfigError when the configuration contradicts what is stored.
 */
export async function applyConfiguration(
  parts: ApplyParts,
  loaded: LoadedConfiguration,
): Promise<AppliedChanges> {
  const { storage } = parts
  const before = await findManagedNames(storage.meta)
  const noted = await findNotedPasswords(storage.meta, before.users)
  const users = await userRecords(parts, loaded.configuration.users, noted)
  const put = { ...(await registrationsOf(parts, loaded)), users: users.map(({ record }) => record) }
  const isLeftAlone = loaded.source === 'none' && before.source === 'file'
  const after = isLeftAlone ? before : namesOf(loaded, put)
  const dropped = await droppedRecords(storage, before, after)
  return apply(parts, {
    put: {
      ...put,
      scopes: [...put.scopes, ...dropped.restoredScopes],
      users: [...put.users, ...dropped.disabledUsers],
    },
    remove: dropped.remove,
    // Together with the change: of a start that is refused or breaks off nothing is remembered.
    meta: { ...factOfNames(after), ...factOfPasswords(notesOf(users, noted, dropped.remove.users)) },
  })
}

async function registrationsOf(
  parts: ApplyParts,
  { configuration }: LoadedConfiguration,
): Promise<Omit<Configuration, 'users'>> {
  return {
    clients: await clientRecords(parts, configuration.clients),
    scopes: await scopeRecords(parts, configuration.scopes),
    providers: await providerRecords(parts, configuration.identity_providers),
  }
}

async function apply({ storage, clock }: ApplyParts, changes: ConfigurationChanges): Promise<AppliedChanges> {
  try {
    return await storage.configuration.apply(changes, clock.now())
  } catch (error) {
    if (isConfigurationConflict(error)) throw new ConfigError(error.message)
    throw error
  }
}
