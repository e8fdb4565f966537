/** Opens the database and gives every stored port. The schema must be there: `#prisma/migrate.ts` comes first. */
import { chmodSync, existsSync } from 'node:fs'
import type { AdminLists } from '#lib/ports/admin-lists.ts'
import type { AdminStore, AuditHash } from '#lib/ports/admin-store.ts'
import type {
  AdminFlashes,
  AdminInvitations,
  Administrators,
  AdminSessions,
  DatabaseStatus,
} from '#lib/ports/administration.ts'
import type { RollUps } from '#lib/ports/aggregates.ts'
import type { ConfigurationStore, Meta } from '#lib/ports/configuration-store.ts'
import type { EventLog } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SigningKeys } from '#lib/ports/signing-keys.ts'
import type { DatabaseLocation } from './database.ts'
import { type Database, openDatabase } from './database.ts'
import { refusingWhenUnavailable } from './database-errors.ts'
import {
  createAdminFlashes,
  createAdminInvitations,
  createAdminSessions,
} from './prisma/administration/admin-sessions.ts'
import { createAdminStore } from './prisma/administration/admin-store.ts'
import { createAdministrators } from './prisma/administration/administrators.ts'
import { createClients } from './prisma/configuration/clients.ts'
import { createConfigurationStore, readRevision } from './prisma/configuration/configuration.ts'
import { createIdentityProviders } from './prisma/configuration/identity-providers.ts'
import { createDatabaseStatus, createMeta } from './prisma/configuration/meta.ts'
import { createScopes } from './prisma/configuration/scopes.ts'
import { createSigningKeys } from './prisma/configuration/signing-keys.ts'
import { createRollUps } from './prisma/events/aggregates.ts'
import { createEventLog } from './prisma/events/event-log.ts'
import { createUsageMarks } from './prisma/events/usage-marks.ts'
import { createAuthorizationCodes } from './prisma/grants/authorization-codes.ts'
import { createConsents } from './prisma/grants/consents.ts'
import { createGrants } from './prisma/grants/grants.ts'
import { createRevokedTokens } from './prisma/grants/revocation.ts'
import { createReferenceTokens, createRefreshTokens } from './prisma/grants/tokens.ts'
import { createPendingRequests } from './prisma/identity/pending-requests.ts'
import { createRateLimiter } from './prisma/identity/rate-limiter.ts'
import { createExternalSignIns, createPartialSignIns, createSessions } from './prisma/identity/sessions.ts'
import { createUsers } from './prisma/identity/users.ts'
import { createAdminLists } from './prisma/lists/admin-lists.ts'
import { batchedRead, type CurrentRevision, cachedRead } from './prisma/reads.ts'
import { purge } from './purge.ts'
import { type Lease, takeLease } from './sqlite/sqlite-lease.ts'

type StoredPorts = Pick<
  Ports,
  | 'clients'
  | 'scopes'
  | 'providers'
  | 'users'
  | 'grants'
  | 'codes'
  | 'refreshTokens'
  | 'referenceTokens'
  | 'revokedTokens'
  | 'consents'
  | 'sessions'
  | 'pendingRequests'
  | 'externalSignIns'
  | 'partialSignIns'
  | 'rateLimiter'
  | 'usage'
>

type Administration = {
  readonly administrators: Administrators
  readonly adminSessions: AdminSessions
  readonly adminInvitations: AdminInvitations
  readonly adminFlashes: AdminFlashes
  readonly adminStore: AdminStore
}

export type Storage = StoredPorts &
  Administration & {
    readonly signingKeys: SigningKeys
    readonly configuration: ConfigurationStore
    readonly meta: Meta
    readonly adminLists: AdminLists
    readonly eventLog: EventLog
    readonly rollUps: RollUps
    readonly databaseStatus: DatabaseStatus
    /** Throws when the database cannot be written: `temporarily_unavailable` where that passes by itself. */
    readonly ping: () => Promise<void>
    /** Deletes what has expired and returns how many rows that were. Erases what need not be kept until then. */
    readonly purge: (now: Date) => Promise<number>
    readonly close: () => Promise<void>
  }

/**
 * Throws a message for the operator when another process uses the SQLite file. Afterwards every port throws
 * `OauthError('temporarily_unavailable', …)` while the database is unavailable or overloaded. `auditHash` chains the audit rows.
 */
export async function openStorage(location: DatabaseLocation, auditHash: AuditHash): Promise<Storage> {
  const lease = location.kind === 'sqlite' ? takeLease(location.file) : null
  try {
    if (location.kind === 'sqlite') keepPrivate(location.file)
    const database = openDatabase(location)
    await readRevision(database)
    return portsOn(database, { location, lease, auditHash })
  } catch (error) {
    lease?.release()
    throw error
  }
}

/** Only the server's own account may read the database; SQLite gives its other files the same permissions. */
function keepPrivate(file: string): void {
  if (existsSync(file)) chmodSync(file, 0o600)
}

type Opening = {
  readonly location: DatabaseLocation
  readonly lease: Lease | null
  readonly auditHash: AuditHash
}

/** NOTE: with the lease this process is the only writer and caches what every request reads. */
function portsOn(database: Database, { location, lease, auditHash }: Opening): Storage {
  const isAlone = lease !== null
  const readOnce = batchedRead(async ([key = '']) => new Map([[key, await readRevision(database)]]), 1)
  const cached = cachedRead({ load: readOnce, size: 1 })
  const read = isAlone ? cached.read : readOnce
  const revision = async () => (await read('revision')) ?? 0
  const stored = storedOn(database, { revision, isAlone })
  const administration = administrationOn(database, auditHash)
  const { configuration } = stored
  const { adminStore } = administration
  return {
    ...stored,
    ...administration,
    ...operationsOn(database, lease),
    databaseStatus: refusingWhenUnavailable(createDatabaseStatus(database, location)),
    configuration: { ...configuration, apply: withFinally(configuration.apply, cached.forget) },
    adminStore: { ...adminStore, commit: withFinally(adminStore.commit, cached.forget) },
  }
}

/** The same, and then `finish`, however it ended. */
function withFinally<Given extends unknown[], Result>(
  work: (...given: Given) => Promise<Result>,
  finish: () => void,
): (...given: Given) => Promise<Result> {
  return (...given) => work(...given).finally(finish)
}

type Reading = { readonly revision: CurrentRevision; readonly isAlone: boolean }

function storedOn(
  database: Database,
  { revision, isAlone }: Reading,
): StoredPorts &
  Pick<Storage, 'signingKeys' | 'configuration' | 'meta' | 'adminLists' | 'eventLog' | 'rollUps'> {
  return {
    clients: refusingWhenUnavailable(createClients(database, revision)),
    scopes: refusingWhenUnavailable(createScopes(database, revision)),
    providers: refusingWhenUnavailable(createIdentityProviders(database, revision)),
    users: refusingWhenUnavailable(createUsers(database)),
    grants: refusingWhenUnavailable(createGrants(database)),
    codes: refusingWhenUnavailable(createAuthorizationCodes(database)),
    refreshTokens: refusingWhenUnavailable(createRefreshTokens(database)),
    referenceTokens: refusingWhenUnavailable(createReferenceTokens(database)),
    revokedTokens: refusingWhenUnavailable(createRevokedTokens(database)),
    consents: refusingWhenUnavailable(createConsents(database)),
    sessions: refusingWhenUnavailable(createSessions(database)),
    pendingRequests: refusingWhenUnavailable(createPendingRequests(database)),
    externalSignIns: refusingWhenUnavailable(createExternalSignIns(database)),
    partialSignIns: refusingWhenUnavailable(createPartialSignIns(database)),
    rateLimiter: refusingWhenUnavailable(createRateLimiter(database, { isAlone })),
    usage: createUsageMarks(database),
    signingKeys: refusingWhenUnavailable(createSigningKeys(database)),
    configuration: refusingWhenUnavailable(createConfigurationStore(database)),
    meta: refusingWhenUnavailable(createMeta(database)),
    adminLists: refusingWhenUnavailable(createAdminLists(database)),
    eventLog: refusingWhenUnavailable(createEventLog(database)),
    rollUps: refusingWhenUnavailable(createRollUps(database)),
  }
}

function administrationOn(database: Database, auditHash: AuditHash): Administration {
  const { commit, audit } = createAdminStore(database, auditHash)
  return {
    administrators: refusingWhenUnavailable(createAdministrators(database)),
    adminSessions: refusingWhenUnavailable(createAdminSessions(database)),
    adminInvitations: refusingWhenUnavailable(createAdminInvitations(database)),
    adminFlashes: refusingWhenUnavailable(createAdminFlashes(database)),
    adminStore: { commit: refusingWhenUnavailable({ commit }).commit, audit: refusingWhenUnavailable(audit) },
  }
}

function operationsOn(database: Database, lease: Lease | null): Pick<Storage, 'ping' | 'purge' | 'close'> {
  return refusingWhenUnavailable({
    ping: () => probeWriting(database),
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
