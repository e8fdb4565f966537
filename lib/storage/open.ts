/** Opens the database and creates the adapter of each stored port. `#prisma/migrate.ts` creates the tables before. */
import { chmodSync, existsSync } from 'node:fs'
import type { AdminStore, AuditHash } from '#lib/ports/admin-store.ts'
import { type Database, type DatabaseLocation, openDatabase } from './database.ts'
import { refusingWhenUnavailable } from './database-errors.ts'
import {
  createAdminFlashes,
  createAdminInvitations,
  createAdminSessions,
} from './prisma/administration/admin-sessions.ts'
import { createAdminStore } from './prisma/administration/admin-store.ts'
import { createAdministrators } from './prisma/administration/administrators.ts'
import { createClients } from './prisma/configuration/clients.ts'
import {
  createConfigurationStore,
  createRevisionCache,
  readRevision,
} from './prisma/configuration/configuration.ts'
import { createIdentityProviders } from './prisma/configuration/identity-providers.ts'
import { createDatabaseStatus, createMeta } from './prisma/configuration/meta.ts'
import { createScopes } from './prisma/configuration/scopes.ts'
import { createSigningKeys } from './prisma/configuration/signing-keys.ts'
import { createAggregates } from './prisma/events/aggregates.ts'
import { createEventLog } from './prisma/events/event-log.ts'
import { createUsageMarks } from './prisma/events/usage-marks.ts'
import { createAuthorizationCodes } from './prisma/grants/authorization-codes.ts'
import { createConsents, createGrants } from './prisma/grants/grants.ts'
import { createRevokedTokens } from './prisma/grants/revocation.ts'
import { createReferenceTokens, createRefreshTokens } from './prisma/grants/tokens.ts'
import { createPendingRequests } from './prisma/identity/pending-requests.ts'
import { createRateLimiter } from './prisma/identity/rate-limiter.ts'
import { createExternalSignIns, createPartialSignIns, createSessions } from './prisma/identity/sessions.ts'
import { createUsers } from './prisma/identity/users.ts'
import { createClientLists } from './prisma/lists/clients.ts'
import { createConsentLists, createGrantLists } from './prisma/lists/grants.ts'
import { createScopeLists } from './prisma/lists/scopes.ts'
import { createSessionLists, createUsage } from './prisma/lists/sessions.ts'
import { createUserLists } from './prisma/lists/users.ts'
import { purge } from './purge.ts'
import { type Lease, takeLease } from './sqlite/sqlite-lease.ts'

export type Storage = Awaited<ReturnType<typeof openStorage>>

/**
 * Throws a message for the operator when another process uses the SQLite file. Afterwards every port throws
 * `OauthError('temporarily_unavailable', …)` while the database is unavailable or overloaded. `auditHash` chains the audit rows.
 */
export async function openStorage(location: DatabaseLocation, auditHash: AuditHash) {
  const lease = location.kind === 'sqlite' ? takeLease(location.file) : null
  try {
    if (location.kind === 'sqlite') keepPrivate(location.file)
    const database = openDatabase(location)
    await readRevision(database)
    return {
      ...configurationOn(database, { auditHash, isAlone: lease !== null }),
      ...grantsOn(database),
      ...signInsOn(database, { isAlone: lease !== null }),
      ...dashboardOn(database, location),
      ...operationsOn(database, lease),
    }
  } catch (error) {
    lease?.release()
    throw error
  }
}

/** Only the server's own account may read the database; SQLite gives its other files the same permissions. */
function keepPrivate(file: string): void {
  if (existsSync(file)) chmodSync(file, 0o600)
}

function configurationOn(
  database: Database,
  { auditHash, isAlone }: { readonly auditHash: AuditHash; readonly isAlone: boolean },
) {
  const revision = createRevisionCache(database, isAlone)
  const configuration = refusingWhenUnavailable(createConfigurationStore(database))
  const { commit, audit } = createAdminStore(database, auditHash)
  const store = refusingWhenUnavailable({ commit })
  const adminStore: AdminStore = {
    commit: (...given) => store.commit(...given).finally(revision.forget),
    audit: refusingWhenUnavailable(audit),
  }
  return {
    clients: refusingWhenUnavailable(createClients(database, revision.current)),
    scopes: refusingWhenUnavailable(createScopes(database, revision.current)),
    providers: refusingWhenUnavailable(createIdentityProviders(database, revision.current)),
    signingKeys: refusingWhenUnavailable(createSigningKeys(database)),
    meta: refusingWhenUnavailable(createMeta(database)),
    configuration: {
      ...configuration,
      apply: (...given: Parameters<typeof configuration.apply>) =>
        configuration.apply(...given).finally(revision.forget),
    },
    adminStore,
  }
}

function grantsOn(database: Database) {
  return {
    grants: refusingWhenUnavailable(createGrants(database)),
    codes: refusingWhenUnavailable(createAuthorizationCodes(database)),
    refreshTokens: refusingWhenUnavailable(createRefreshTokens(database)),
    referenceTokens: refusingWhenUnavailable(createReferenceTokens(database)),
    revokedTokens: refusingWhenUnavailable(createRevokedTokens(database)),
    consents: refusingWhenUnavailable(createConsents(database)),
  }
}

function signInsOn(database: Database, { isAlone }: { readonly isAlone: boolean }) {
  return {
    users: refusingWhenUnavailable(createUsers(database)),
    sessions: refusingWhenUnavailable(createSessions(database)),
    pendingRequests: refusingWhenUnavailable(createPendingRequests(database)),
    externalSignIns: refusingWhenUnavailable(createExternalSignIns(database)),
    partialSignIns: refusingWhenUnavailable(createPartialSignIns(database)),
    rateLimiter: refusingWhenUnavailable(createRateLimiter(database, { isAlone })),
    usage: createUsageMarks(database),
  }
}

function dashboardOn(database: Database, location: DatabaseLocation) {
  return {
    administrators: refusingWhenUnavailable(createAdministrators(database)),
    adminSessions: refusingWhenUnavailable(createAdminSessions(database)),
    adminInvitations: refusingWhenUnavailable(createAdminInvitations(database)),
    adminFlashes: refusingWhenUnavailable(createAdminFlashes(database)),
    adminLists: refusingWhenUnavailable({
      ...createClientLists(database),
      ...createScopeLists(database),
      ...createUserLists(database),
      ...createSessionLists(database),
      ...createGrantLists(database),
      ...createConsentLists(database),
      ...createUsage(database),
    }),
    eventLog: refusingWhenUnavailable(createEventLog(database)),
    aggregates: refusingWhenUnavailable(createAggregates(database)),
    databaseStatus: refusingWhenUnavailable(createDatabaseStatus(database, location)),
  }
}

function operationsOn(database: Database, lease: Lease | null) {
  return refusingWhenUnavailable({
    /** Throws when the database cannot be written: `temporarily_unavailable` where that passes by itself. */
    ping: () => probeWriting(database),
    /** Deletes expired rows and returns their number; erases values that need not be stored until then. */
    purge: (now: Date) => purge(database, now),
    close: async () => {
      await database.$disconnect()
      lease?.release()
    },
  })
}

/**
 * Tests whether the database accepts writes: one that is locked, full or read-only still answers every query. Writes one
 * small row that no other code locks.
 */
async function probeWriting({ meta }: Database): Promise<void> {
  const row = { name: 'written', value: 'yes' }
  await meta.upsert({ where: { name: row.name }, create: row, update: { value: row.value } })
}
