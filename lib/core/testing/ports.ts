/**
 * Opens real ports for tests of the core: SQLite in a temporary folder, real keys and digests, and a clock that tests
 * can move.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuditHash } from '#lib/crypto/audit-chain.ts'
import { createHashing } from '#lib/crypto/hashing.ts'
import { createKeyRing, type KeyRing } from '#lib/crypto/keys/key-ring.ts'
import { createSealing } from '#lib/crypto/keys/sealing.ts'
import { createPasswords } from '#lib/crypto/passwords/passwords.ts'
import { createSecretHashing, createSecrets } from '#lib/crypto/passwords/secrets.ts'
import { createRandom } from '#lib/crypto/random.ts'
import { createEvents } from '#lib/events/events.ts'
import { leavingUsers } from '#lib/identity/account-deletion/leaving-users.ts'
import { signInSteps } from '#lib/identity/sign-in-steps.ts'
import { standardUserService } from '#lib/identity/standard-user-service.ts'
import type { RecordedEvent } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { defaultPolicies, type Policies } from '#lib/protocol/registration/policies.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { endpointNames } from '#lib/protocol/vocabulary.ts'
import { openStorage, type Storage } from '#lib/storage/open.ts'
import { copyDatabase } from '#lib/storage/testing/copy-database.ts'
import { createUpstream } from '#lib/upstream/oidc-client.ts'
import { migrate } from '#prisma/migrate.ts'
import { cheapHashing, createRegistrar, type Registrar } from './registrar.ts'

export const issuer = 'https://id.example'
/** Seals with one key in all processes of a run, which share the signing keys. */
const sealing = createSealing(Buffer.alloc(32, 'sealed for tests'))

export const context: RequestContext = { requestId: 'test', address: '192.0.2.1', userAgent: null }

export type TestPorts = Registrar & {
  readonly ports: Ports
  readonly storage: Storage
  readonly keyRing: KeyRing
  /** The recorded events, oldest first. */
  readonly events: readonly RecordedEvent[]
  /** Moves the clock forward. */
  readonly advance: (seconds: number) => void
  /** Waits for the work that follows a response. */
  readonly settle: () => Promise<void>
  /** Purges at the time of the clock. */
  readonly purge: () => Promise<number>
  readonly close: () => Promise<void>
}

/**
 * Opens fresh ports with the scopes of `registrations.ts`; `replaced` contains ports to use instead of the real ones.
 * The test must close them.
 */
export async function openTestPorts(replaced: Partial<Ports> = {}): Promise<TestPorts> {
  const { storage, close } = await openTemporaryStorage()
  const clock = movableClock()
  const events: RecordedEvent[] = []
  const late: Promise<void>[] = []
  const keyRing = createTestKeyRing(storage, clock)
  await keyRing.ensureKeys()
  const ports = { ...realPorts(storage, { clock, events, keyRing, late }), ...replaced }
  const registrar = createRegistrar(ports, storage.configuration)
  await registrar.addScopes()
  const purge = () => storage.purge(clock.now())
  const settle = async () => void (await Promise.all(late))
  return { ...registrar, ports, storage, keyRing, events, advance: clock.advance, settle, purge, close }
}

async function openTemporaryStorage(): Promise<{ storage: Storage; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-core-'))
  const file = join(folder, 'test.db')
  await copyDatabase('with-keys', file, makeDatabase)
  const storage = await openStorage({ kind: 'sqlite', file }, createAuditHash(randomBytes(32)))
  const close = async () => {
    await storage.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { storage, close }
}

/**
 * Creates the database that all tests copy. It contains keys, because making keys takes even longer than creating a
 * database.
 */
async function makeDatabase(file: string): Promise<void> {
  const location = { kind: 'sqlite', file } as const
  await migrate(location)
  const storage = await openStorage(location, createAuditHash(randomBytes(32)))
  await createTestKeyRing(storage, movableClock()).ensureKeys()
  await storage.close()
}

/** Creates a key ring with keys of three algorithms, regardless of the registrations. */
function createTestKeyRing({ signingKeys: keys }: Storage, clock: Ports['clock']): KeyRing {
  const inUse = new Set(['RS256', 'ES256', 'EdDSA'] as const)
  return createKeyRing({ keys, sealing, clock, issuer, algorithmsInUse: async () => inUse })
}

/** Returns the policies of a new site with these changes. */
export function withPolicies(changes: Partial<Policies>): Ports['policies'] {
  return { current: async () => ({ ...defaultPolicies, ...changes }) }
}

function movableClock() {
  let now = new Date('2026-03-01T12:00:00.250Z').getTime()
  return {
    now: () => new Date(now),
    advance: (seconds: number) => {
      now += seconds * 1000
    },
  }
}

type Parts = {
  readonly clock: Ports['clock']
  readonly events: RecordedEvent[]
  readonly keyRing: KeyRing
  /** The work that follows responses. */
  readonly late: Promise<void>[]
}

function realPorts(storage: Storage, { clock, events, keyRing, late }: Parts): Ports {
  const random = createRandom()
  const passwords = createPasswords(cheapHashing)
  const hashing = createHashing()
  return {
    ...storage,
    settings: {
      issuer,
      refreshRetryWindowSeconds: 10,
      accessTokenFormat: 'rfc9068',
      signOutPrompt: 'without-hint',
      enabledEndpoints: new Set(endpointNames),
      localLogin: true,
      relyingParty: { kind: 'on', id: new URL(issuer).hostname, origins: [issuer] },
    },
    clock,
    afterwards: work => void late.push(work()),
    random,
    hashing,
    sealing,
    secrets: createSecrets(createSecretHashing(cheapHashing)),
    passwords,
    signer: keyRing.signer,
    userService: standardUserService({ users: storage.users, passwords, random, hashing, clock }),
    managedUsers: { has: async () => false },
    leavingUsers: leavingUsers(storage.plannedChanges, clock),
    signInSteps,
    signInFields: [],
    customGrants: [],
    tokenClaims: [],
    hooks: {},
    upstream: createUpstream({ allowLoopback: true, clock }),
    mail: { kind: 'folder', folder: '/mails' },
    events: createEvents([{ record: event => void events.push(event) }], clock, assert.ifError),
  }
}
