/** What happens to records that the configuration made and no longer names. */
import type { ConfigurationChanges, ScopeRecord, UserToPut } from '#lib/ports/configuration-store.ts'
import { standardScope } from '#lib/protocol/registration/scope.ts'
import { droppedNames, type ManagedNames } from './managed-names.ts'
import { standardScopeRecord } from './registration-records.ts'
import type { ConfiguredStore } from './stored-parts.ts'

type Dropped = {
  readonly remove: ConfigurationChanges['remove']
  readonly disabledUsers: readonly UserToPut[]
  readonly restoredScopes: readonly ScopeRecord[]
}

/** Standard scopes are reset; demo users, whose passwords are public, are removed completely. */
export async function droppedRecords(
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
