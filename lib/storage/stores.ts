/**
 * The stores: each is one file with its rules for the purge, and one line here. The purge follows this order: codes and
 * tokens before their grants, so that deleting a grant stays small.
 */
import type { Database } from './database.ts'
import { refusingWhenUnavailable } from './database-errors.ts'
import {
  adminFlashStore,
  adminInvitationStore,
  adminSessionStore,
} from './prisma/administration/admin-sessions.ts'
import { createAdminStore } from './prisma/administration/admin-store.ts'
import { createAdministrators } from './prisma/administration/administrators.ts'
import { createClients } from './prisma/configuration/clients.ts'
import { createConfigurationStore } from './prisma/configuration/configuration.ts'
import { createIdentityProviders } from './prisma/configuration/identity-providers.ts'
import { createDatabaseStatus, createMeta } from './prisma/configuration/meta.ts'
import { createScopes } from './prisma/configuration/scopes.ts'
import { signingKeyStore } from './prisma/configuration/signing-keys.ts'
import { aggregateStore } from './prisma/events/aggregates.ts'
import { eventLogStore } from './prisma/events/event-log.ts'
import { authorizationCodeStore } from './prisma/grants/authorization-codes.ts'
import { consentStore, grantStore } from './prisma/grants/grants.ts'
import { revokedTokenStore } from './prisma/grants/revocation.ts'
import { referenceTokenStore, refreshTokenStore } from './prisma/grants/tokens.ts'
import { pendingRequestStore } from './prisma/identity/pending-requests.ts'
import { rateLimitStore } from './prisma/identity/rate-limiter.ts'
import { externalSignInStore, partialSignInStore, sessionStore } from './prisma/identity/sessions.ts'
import { createUsers } from './prisma/identity/users.ts'
import { createClientLists } from './prisma/lists/clients.ts'
import { createConsentLists, createGrantLists } from './prisma/lists/grants.ts'
import { createScopeLists } from './prisma/lists/scopes.ts'
import { createSessionLists, createUsage } from './prisma/lists/sessions.ts'
import { createUserLists } from './prisma/lists/users.ts'
import type { PurgeRule, Store, StoreContext } from './store.ts'

const stores = {
  codes: authorizationCodeStore,
  refreshTokens: refreshTokenStore,
  referenceTokens: referenceTokenStore,
  grants: grantStore,
  revokedTokens: revokedTokenStore,
  consents: consentStore,
  users: { create: createUsers },
  sessions: sessionStore,
  pendingRequests: pendingRequestStore,
  externalSignIns: externalSignInStore,
  partialSignIns: partialSignInStore,
  rateLimiter: rateLimitStore,
  clients: { create: createClients },
  scopes: { create: createScopes },
  providers: { create: createIdentityProviders },
  signingKeys: signingKeyStore,
  meta: { create: createMeta },
  configuration: { create: createConfigurationStore },
  adminStore: { create: createAdminStore },
  administrators: { create: createAdministrators },
  adminSessions: adminSessionStore,
  adminInvitations: adminInvitationStore,
  adminFlashes: adminFlashStore,
  adminLists: { create: createAdminLists },
  eventLog: eventLogStore,
  aggregates: aggregateStore,
  databaseStatus: { create: createDatabaseStatus },
} satisfies Readonly<Record<string, Store<object>>>

export const purgeRules: readonly PurgeRule[] = Object.values<Store<object>>(stores).flatMap(
  ({ purge = [] }) => purge,
)

export type Stores = {
  readonly [Name in keyof typeof stores]: ReturnType<(typeof stores)[Name]['create']>
}

/** Every function throws `OauthError('temporarily_unavailable', …)` while the database is unavailable or overloaded. */
export function createStores(database: Database, context: StoreContext): Stores {
  const created = Object.entries<Store<object>>(stores).map(
    ([name, { create }]) => [name, refusingWhenUnavailable(create(database, context))] as const,
  )
  // TypeScript knows no type for entries that belong to different names
  return Object.fromEntries(created) as Stores
}

function createAdminLists(database: Database) {
  return {
    ...createClientLists(database),
    ...createScopeLists(database),
    ...createUserLists(database),
    ...createSessionLists(database),
    ...createGrantLists(database),
    ...createConsentLists(database),
    ...createUsage(database),
  }
}
