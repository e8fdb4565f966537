/** Opens the database and creates the stores. `#prisma/migrate.ts` must have created the tables. */
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import type { NodeShare } from '#lib/config/node-share.ts'
import type { AuditHash } from '#lib/ports/admin-store.ts'
import { connectDatabase, type Database, type StatementMeter } from './database.ts'
import { refusingWhenUnavailable } from './database-errors.ts'
import {
  adminInvitationStore,
  adminPageStateStore,
  adminSessionStore,
} from './prisma/administration/admin-sessions.ts'
import { createAdminStore } from './prisma/administration/admin-store.ts'
import { createAdministrators } from './prisma/administration/administrators.ts'
import { createClients } from './prisma/configuration/clients.ts'
import { createConfigurationStore, createRevisionCache } from './prisma/configuration/configuration.ts'
import { createIdentityProviders } from './prisma/configuration/identity-providers.ts'
import { createDatabaseStatus, createMeta } from './prisma/configuration/meta.ts'
import { createSitePolicies } from './prisma/configuration/policies.ts'
import { createScopes } from './prisma/configuration/scopes.ts'
import { signingKeyStore } from './prisma/configuration/signing-keys.ts'
import { aggregateStore } from './prisma/events/aggregates.ts'
import { eventLogStore } from './prisma/events/event-log.ts'
import { createUsageMarks } from './prisma/events/usage-marks.ts'
import { consentStore } from './prisma/grants/consents.ts'
import { authorizationCodeStore, grantStore } from './prisma/grants/grants.ts'
import { importedTokenStore } from './prisma/grants/imported-tokens.ts'
import {
  referenceTokenStore,
  refreshTokenStore,
  revokedTokenStore,
  tokenStore,
} from './prisma/grants/tokens.ts'
import { deviceNoticeStore } from './prisma/identity/device-notices.ts'
import { mailProofStore } from './prisma/identity/mail-proofs.ts'
import { passkeyStore, subjectPreferenceStore, usedIdStore } from './prisma/identity/passkeys.ts'
import { pendingRequestStore } from './prisma/identity/pending-requests.ts'
import { plannedChangeStore } from './prisma/identity/planned-changes.ts'
import { rateLimitStore } from './prisma/identity/rate-limiter.ts'
import { secondFactorStore, trustedBrowserStore } from './prisma/identity/second-factors.ts'
import { externalSignInStore, partialSignInStore, sessionStore } from './prisma/identity/sessions.ts'
import { takenBackChangeStore } from './prisma/identity/taken-back-changes.ts'
import { userInvitationStore } from './prisma/identity/user-invitations.ts'
import { createUsers } from './prisma/identity/users.ts'
import { createClientLists } from './prisma/lists/clients.ts'
import { createConsentLists, createGrantLists } from './prisma/lists/grants.ts'
import { createScopeLists } from './prisma/lists/scopes.ts'
import { createSessionLists, createUsage } from './prisma/lists/sessions.ts'
import { createInvitationLists } from './prisma/lists/user-invitations.ts'
import { createUserLists } from './prisma/lists/users.ts'
import { outboxStore } from './prisma/outbox.ts'
import { purge } from './purge.ts'
import { takeLease } from './sqlite/sqlite-lease.ts'
import type { PurgeRule, Store, StoreContext } from './store.ts'

/**
 * The stores, each with its purge rules. The purge follows this order: codes and tokens before their grants, so that
 * deleting a grant affects few rows.
 */
const stores = {
  codes: authorizationCodeStore,
  refreshTokens: refreshTokenStore,
  referenceTokens: referenceTokenStore,
  tokens: tokenStore,
  grants: grantStore,
  revokedTokens: revokedTokenStore,
  importedTokens: importedTokenStore,
  consents: consentStore,
  users: { create: createUsers },
  sessions: sessionStore,
  pendingRequests: pendingRequestStore,
  externalSignIns: externalSignInStore,
  partialSignIns: partialSignInStore,
  passkeys: passkeyStore,
  subjectPreferences: subjectPreferenceStore,
  usedIds: usedIdStore,
  secondFactors: secondFactorStore,
  trustedBrowsers: trustedBrowserStore,
  mailProofs: mailProofStore,
  plannedChanges: plannedChangeStore,
  userInvitations: userInvitationStore,
  takenBackChanges: takenBackChangeStore,
  rateLimiter: rateLimitStore,
  clients: { create: createClients },
  scopes: { create: createScopes },
  providers: { create: createIdentityProviders },
  policies: { create: createSitePolicies },
  signingKeys: signingKeyStore,
  meta: { create: createMeta },
  configuration: { create: createConfigurationStore },
  adminStore: { create: createAdminStore },
  administrators: { create: createAdministrators },
  adminSessions: adminSessionStore,
  adminInvitations: adminInvitationStore,
  adminPageStates: adminPageStateStore,
  adminLists: { create: createAdminLists },
  eventLog: eventLogStore,
  aggregates: aggregateStore,
  databaseStatus: { create: createDatabaseStatus },
  outbox: outboxStore,
  deviceNotices: deviceNoticeStore,
} satisfies Readonly<Record<string, Store<object>>>

export type Storage = Awaited<ReturnType<typeof openStorage>>

type StorageOptions = {
  /** The share of this process in its node; the whole node by default. */
  readonly share?: NodeShare
  /** The maximum number of connections to PostgreSQL. */
  readonly connections?: number
  /** Measures statements; absent if metrics are off. */
  readonly meter?: StatementMeter | undefined
}

/**
 * Opens the storage. Throws an error with a message for the operator if another process uses the SQLite file. The ports
 * of an open storage throw `OauthError('temporarily_unavailable', …)` while the database is unavailable, overloaded or
 * not writable. `auditHash` computes the hash of each audit row.
 */
export async function openStorage(
  location: DatabaseLocation,
  auditHash: AuditHash,
  { share = { workers: 1, processors: availableParallelism() }, connections, meter }: StorageOptions = {},
) {
  const lease = location.kind === 'sqlite' ? takeLease(location.file) : null
  try {
    const database = await connectDatabase(location, { connections, processors: share.processors, meter })
    const isAlone = lease !== null
    const closing = new AbortController()
    let purging: Promise<unknown> = Promise.resolve()
    const revision = createRevisionCache(database, isAlone)
    const usage = createUsageMarks(database)
    return {
      ...createStores(database, { location, isAlone, share, revision, auditHash }),
      usage,
      connections: database.$connections,
      ...refusingWhenUnavailable({
        /**
         * Throws if the database cannot be written: `temporarily_unavailable` if it is unavailable, overloaded, full or
         * read-only.
         */
        ping: () => probeWriting(database),
        /** Deletes expired rows and returns their number; also erases values that expire earlier than their row. */
        purge: (now: Date) => {
          const purged = purge(database, purgeRules(), { now, signal: closing.signal })
          purging = purged.catch(() => {})
          return purged
        },
        /** Ends a running purge after its current step, and writes the buffered last uses. */
        close: async () => {
          closing.abort()
          await purging
          await usage.flush()
          await database.$disconnect()
          lease?.release()
        },
      }),
    }
  } catch (error) {
    lease?.release()
    throw error
  }
}

/** Returns the purge rules of all stores, in the order of the stores. */
export function purgeRules(): readonly PurgeRule[] {
  return Object.values<Store<object>>(stores).flatMap(store => store.purge ?? [])
}

type Stores = {
  readonly [Name in keyof typeof stores]: ReturnType<(typeof stores)[Name]['create']>
}

function createStores(database: Database, context: StoreContext): Stores {
  const created = Object.entries<Store<object>>(stores).map(
    ([name, { create }]) => [name, refusingWhenUnavailable(create(database, context))] as const,
  )
  // TypeScript cannot type entries whose value type depends on their key
  return Object.fromEntries(created) as Stores
}

function createAdminLists(database: Database) {
  return {
    ...createClientLists(database),
    ...createScopeLists(database),
    ...createUserLists(database),
    ...createInvitationLists(database),
    ...createSessionLists(database),
    ...createGrantLists(database),
    ...createConsentLists(database),
    ...createUsage(database),
  }
}

/**
 * Tests whether the database accepts writes: a locked, full or read-only database still answers queries. Writes one
 * small row that no other code locks. NOTE: the value differs each time, because SQLite writes nothing to the disk when
 * a row stays the same.
 */
async function probeWriting({ meta }: Database): Promise<void> {
  const row = { name: 'written', value: randomUUID() }
  await meta.upsert({ where: { name: row.name }, create: row, update: { value: row.value } })
}
