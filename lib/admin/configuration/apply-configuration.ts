/** Stores the configuration with which the server starts, and removes objects that it no longer names. */
import { ConfigError } from '#lib/errors/config-error.ts'
import {
  type AppliedChanges,
  type ConfigurationChanges,
  type ConfigurationStore,
  isConfigurationConflict,
  isConfigurationOutdated,
  type Meta,
  type ScopeRecord,
  type UserToPut,
} from '#lib/ports/configuration-store.ts'
import type { Clock } from '#lib/ports/environment.ts'
import { standardScope } from '#lib/protocol/registration/scope.ts'
import type { StoredAddresses } from '../policies/consequences.ts'
import {
  type ConfiguredStore,
  type Keepers,
  registrationRecords,
  standardScopeRecord,
} from './configured-records.ts'
import { wrongPolicies } from './document-problems.ts'
import type { LoadedConfiguration } from './load-configuration.ts'
import {
  droppedNames,
  findManagedNames,
  type ManagedNames,
  managedNamesMeta,
  metaOfNames,
  namesOf,
} from './managed-names.ts'
import {
  configuredPasswordsMeta,
  findConfiguredPasswords,
  metaOfPasswords,
  passwordsAfter,
  userRecords,
} from './user-records.ts'

type ApplyParts = Keepers & {
  readonly storage: ConfiguredStore &
    StoredAddresses & { readonly configuration: ConfigurationStore; readonly meta: Meta }
  readonly clock: Clock
}

/**
 * Writes clients, scopes, users and providers. Hashes only new secrets and passwords, and passwords whose stored hash has
 * outdated parameters. Objects that the last configuration contained and this one does not name are removed. Standard scopes
 * are reset instead, and users are locked, so that their `sub` is never given to a different user; demo users are removed.
 * Without a configuration, only the objects of the demo are removed and missing standard scopes are added. If another
 * node has applied a configuration in the meantime, everything is computed again. Throws a ConfigError if the configuration
 * contradicts what is stored, sets a password or a policy that is not allowed, or has two entries for one user.
 */
export async function applyConfiguration(
  parts: ApplyParts,
  loaded: LoadedConfiguration,
  attemptsLeft: number = mostAttempts,
): Promise<AppliedChanges> {
  try {
    return await applyOnce(parts, loaded)
  } catch (error) {
    if (isConfigurationConflict(error)) throw new ConfigError(error.message)
    if (!isConfigurationOutdated(error) || attemptsLeft === 1) throw error
    return applyConfiguration(parts, loaded, attemptsLeft - 1)
  }
}

/** The maximum number of attempts. Each other node that starts at the same time can cost one. */
const mostAttempts = 20

async function applyOnce(parts: ApplyParts, loaded: LoadedConfiguration): Promise<AppliedChanges> {
  const { storage } = parts
  const wrong = await wrongPolicies(storage, loaded.configuration)
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  const basedOn = await readStoredMeta(storage.meta)
  const meta = { find: async (name: string) => basedOn[name] ?? null }
  const before = await findManagedNames(meta)
  const noted = await findConfiguredPasswords(meta, before.users)
  const users = await userRecords(parts, loaded.configuration.users, noted)
  const put = {
    ...(await registrationRecords(parts, loaded.configuration)),
    users: users.map(({ record }) => record),
  }
  const isLeftAlone = loaded.source === 'none' && before.source === 'file'
  const after = isLeftAlone ? before : namesOf(loaded, put)
  const dropped = await droppedRecords(storage, before, after)
  const changes: ConfigurationChanges = {
    basedOn,
    put: {
      ...put,
      scopes: [...put.scopes, ...dropped.restoredScopes],
      users: [...put.users, ...dropped.disabledUsers],
    },
    remove: dropped.remove,
    // Stored in the same transaction: a start that fails must store nothing
    meta: { ...metaOfNames(after), ...metaOfPasswords(passwordsAfter(users, noted, dropped.remove.users)) },
  }
  return storage.configuration.apply(changes, parts.clock.now())
}

async function readStoredMeta({ find }: Meta): Promise<Readonly<Record<string, string | null>>> {
  return {
    [managedNamesMeta]: await find(managedNamesMeta),
    [configuredPasswordsMeta]: await find(configuredPasswordsMeta),
  }
}

type Dropped = {
  readonly remove: ConfigurationChanges['remove']
  readonly disabledUsers: readonly UserToPut[]
  readonly restoredScopes: readonly ScopeRecord[]
}

/**
 * Finds what to do with objects that the configuration no longer names. Standard scopes are reset. Users of a file are locked;
 * demo users are removed, since their passwords are public.
 */
async function droppedRecords(
  storage: ConfiguredStore,
  before: ManagedNames,
  after: ManagedNames,
): Promise<Dropped> {
  const { clients, scopes, users, providers } = droppedNames(before, after)
  const isDemo = before.source === 'demo'
  return {
    remove: {
      clients,
      providers,
      scopes: scopes.filter(name => standardScope(name) === null),
      users: isDemo ? users : [],
    },
    disabledUsers: isDemo ? [] : await disabled(storage, users),
    restoredScopes: scopes.filter(name => standardScope(name) !== null).map(standardScopeRecord),
  }
}

async function disabled(
  { users }: ConfiguredStore,
  subjects: ManagedNames['users'],
): Promise<readonly UserToPut[]> {
  const found = await Promise.all(subjects.map(subject => users.findBySubject(subject)))
  return found.filter(user => user !== null).map(user => ({ ...user, enabled: false, keepsPassword: true }))
}
