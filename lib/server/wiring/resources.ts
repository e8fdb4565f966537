/**
 * What one process has one of: configuration, database, keys, extensions, log. Opened on first use and kept on
 * `globalThis`, because Next and our own HTTP server each load their own copy of every module.
 */

import { seedDemoOwner } from '#lib/admin/access/demo-owner.ts'
import { applyConfiguration } from '#lib/admin/configuration/apply-configuration.ts'
import {
  type LoadedConfiguration,
  loadConfiguration,
  refusalOf,
} from '#lib/admin/configuration/load-configuration.ts'
import { keepWhatAFileMade } from '#lib/admin/configuration/managed-names.ts'
import { type Config, readConfig } from '#lib/config/env.ts'
import { createAuditHash } from '#lib/crypto/audit-chain.ts'
import { createHashing } from '#lib/crypto/hashing.ts'
import { createKeyRing, type KeyRing } from '#lib/crypto/keys/key-ring.ts'
import { loadMasterKey, verifyMasterKey } from '#lib/crypto/keys/master-key.ts'
import { createSealing } from '#lib/crypto/keys/sealing.ts'
import { createPasswords, passwordProblem } from '#lib/crypto/passwords/passwords.ts'
import { createSecretHashing, createSecrets, type SecretKeeper } from '#lib/crypto/passwords/secrets.ts'
import { createRandom } from '#lib/crypto/random.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { createEventBuffer, type EventBuffer } from '#lib/events/database-sink.ts'
import { createLog, type Log } from '#lib/events/log.ts'
import { rateLimitedEventLog } from '#lib/events/rate-limited-event-log.ts'
import type { AuditHash } from '#lib/ports/admin-store.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { EventLog } from '#lib/ports/events.ts'
import type { Extensions } from '#lib/ports/extensions.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { openStorage, type Storage } from '#lib/storage/open.ts'
import { findMeta } from '#lib/storage/open-audit-trail.ts'
import { loadExtensions } from './extensions.ts'
import { operatorPorts } from './operator-ports.ts'

export type Resources = Pick<Ports, 'clock' | 'random' | 'hashing' | 'sealing' | 'passwords'> & {
  readonly secrets: SecretKeeper
  readonly config: Config
  /** What was applied at the start. */
  readonly loaded: LoadedConfiguration
  /** The data is a file's, and no file was named: the demo stayed out. */
  readonly keepsFileData: boolean
  readonly storage: Storage
  /** Chains the rows of the audit trail. */
  readonly auditHash: AuditHash
  readonly keyRing: KeyRing
  readonly extensions: Extensions
  readonly log: Log
  /** Events on their way to the database. */
  readonly eventBuffer: EventBuffer
}

const slot = Symbol.for('latchkey.resources')

/**
 * The process's resources. Opening makes missing keys and applies the configuration file; the schema must be there.
 * A failed opening is tried again by the next caller.
 */
export function resources(): Promise<Resources> {
  const opened: Promise<Resources> | undefined = Reflect.get(globalThis, slot)
  if (opened !== undefined) return opened
  const opening = openResources(readConfig(process.env)).catch(forget)
  Reflect.set(globalThis, slot, opening)
  return opening
}

/** Floods of refusals are thinned out on their way. */
function openEventBuffer(eventLog: EventLog, clock: Clock, log: Log): EventBuffer {
  const onFailure = (error: unknown, lost = 0) => log.failure(error, { origin: 'event_log', lost })
  const sparing = rateLimitedEventLog(eventLog, clock)
  const { record, flush } = createEventBuffer({ log: sparing, onFailure })
  return { record, flush: () => flush().then(sparing.settle).catch(onFailure) }
}

function forget(error: unknown): never {
  Reflect.deleteProperty(globalThis, slot)
  throw error
}

async function openResources(config: Config): Promise<Resources> {
  const clock = { now: () => new Date() }
  const masterKey = await loadMasterKey(config, name => findMeta(config.database, name))
  const sealing = createSealing(masterKey)
  const extensions = await loadExtensions(config.extensionsFile)
  const wanted = await loadConfiguration(config, { customGrants: extensions.customGrants ?? [] })
  const auditHash = createAuditHash(masterKey)
  const storage = await openStorage(config.database, auditHash)
  await verifyMasterKey(config, { meta: storage.meta, sealing })
  const keyRing = createKeyRing({ keys: storage.signingKeys, sealing, clock, issuer: config.issuer })
  await keyRing.ensureKeys()
  const random = createRandom()
  const passwords = createPasswords()
  const secrets = createSecrets(createSecretHashing())
  const keepers = { random, sealing, passwords, secrets, passwordProblem }
  const loaded = await keepWhatAFileMade(storage.meta, wanted, config.isDemoAsked)
  await applyConfiguration({ ...keepers, storage, clock }, loaded).catch(error => {
    if (!isConfigError(error) || config.configFile === null) throw error
    throw refusalOf(config.configFile, error.message.split('\n'))
  })
  const hashing = createHashing()
  const log = createLog({ level: config.logLevel, pretty: process.stdout.isTTY === true })
  await seedDemoOwner(operatorPorts({ storage, clock, hashing, random, config, log }), loaded)
  return {
    config: { ...config, demo: loaded.source === 'demo' },
    loaded,
    keepsFileData: loaded !== wanted,
    clock,
    random,
    hashing,
    sealing,
    passwords,
    secrets,
    storage,
    auditHash,
    keyRing,
    extensions,
    log,
    eventBuffer: openEventBuffer(storage.eventLog, clock, log),
  }
}
