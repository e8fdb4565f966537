/**
 * What a process opens once: configuration, database, keys, extensions, log. On `globalThis`, because Next and this HTTP server
 * each load their own copy of every module.
 */

import { seedDemoOwner } from '#lib/admin/access/operator.ts'
import { applyConfiguration } from '#lib/admin/configuration/apply-configuration.ts'
import { loadConfiguration, refusalOf } from '#lib/admin/configuration/load-configuration.ts'
import { withoutUnaskedDemo } from '#lib/admin/configuration/managed-names.ts'
import { type Config, readConfig } from '#lib/config/env.ts'
import { createAuditHash } from '#lib/crypto/audit-chain.ts'
import { createHashing } from '#lib/crypto/hashing.ts'
import { algorithmsInUse } from '#lib/crypto/keys/algorithms-in-use.ts'
import { createKeyRing } from '#lib/crypto/keys/key-ring.ts'
import { loadMasterKey, verifyMasterKey } from '#lib/crypto/keys/master-key.ts'
import { createSealing } from '#lib/crypto/keys/sealing.ts'
import { createPasswords, passwordProblem, storedImportedWork } from '#lib/crypto/passwords/passwords.ts'
import { createSecretHashing, createSecrets } from '#lib/crypto/passwords/secrets.ts'
import { createRandom } from '#lib/crypto/random.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { createEventBuffer, type EventBuffer } from '#lib/events/database-sink.ts'
import { createLog, type Log } from '#lib/events/log.ts'
import { rateLimitedEventLog } from '#lib/events/rate-limited-event-log.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { EventLog } from '#lib/ports/events.ts'
import { openStorage } from '#lib/storage/open.ts'
import { findMeta } from '#lib/storage/open-audit-trail.ts'
import { loadExtensions } from './extensions.ts'
import { operatorPorts } from './operator-ports.ts'
import { restrictDataFiles } from './restrict-data-files.ts'
import { importSigningCertificate } from './signing-certificate.ts'

export type Resources = Readonly<Awaited<ReturnType<typeof openResources>>>

const slot = Symbol.for('latchkey.resources')

/**
 * Opened at the first call. Opening makes missing keys and applies the configuration file; the schema must exist. After a
 * failure the next call repeats it.
 */
export function resources(): Promise<Resources> {
  const opened: Promise<Resources> | undefined = Reflect.get(globalThis, slot)
  if (opened !== undefined) return opened
  const opening = openResources(readConfig(process.env)).catch(forget)
  Reflect.set(globalThis, slot, opening)
  return opening
}

/** Repeated refusals are limited before they are stored. */
function openEventBuffer(eventLog: EventLog, clock: Clock, log: Log): EventBuffer {
  const onFailure = (error: unknown, lost = 0) => log.failure(error, { origin: 'event_log', lost })
  const limited = rateLimitedEventLog(eventLog, clock)
  const { record, flush } = createEventBuffer({ log: limited, onFailure })
  return { record, flush: () => flush().then(limited.settle).catch(onFailure) }
}

function forget(error: unknown): never {
  Reflect.deleteProperty(globalThis, slot)
  throw error
}

async function openResources(config: Config) {
  const clock = { now: () => new Date() }
  const restricted = restrictDataFiles(config)
  const masterKey = await loadMasterKey(config, name => findMeta(config.database, name))
  const sealing = createSealing(masterKey)
  const extensions = await loadExtensions(config.extensionsFile)
  const requested = await loadConfiguration(config, { customGrants: extensions.customGrants ?? [] })
  const auditHash = createAuditHash(masterKey)
  const storage = await openStorage(config.database, auditHash)
  await verifyMasterKey(config, { meta: storage.meta, sealing })
  const random = createRandom()
  const passwords = createPasswords()
  passwords.expectImported(await storedImportedWork(storage))
  const secrets = createSecrets(createSecretHashing())
  const keyTools = { random, sealing, passwords, secrets, passwordProblem }
  const loaded = await withoutUnaskedDemo(storage.meta, requested, config.isDemoRequested)
  await applyConfiguration({ ...keyTools, storage, clock }, loaded).catch(error => {
    if (!isConfigError(error) || config.configFile === null) throw error
    throw refusalOf(config.configFile, error.message.split('\n'))
  })
  const keyRing = createKeyRing({
    keys: storage.signingKeys,
    sealing,
    clock,
    issuer: config.issuer,
    hasCertificates: config.hasKeyCertificates,
    algorithmsInUse: () => algorithmsInUse({ ...storage, accessTokenFormat: config.accessTokenFormat }),
  })
  await importSigningCertificate(config, { keyRing, meta: storage.meta, clock })
  await keyRing.ensureKeys()
  const hashing = createHashing()
  const log = createLog({ level: config.logLevel, pretty: process.stdout.isTTY === true })
  await seedDemoOwner(operatorPorts({ storage, clock, hashing, random, config, log }), loaded)
  return {
    config: { ...config, demo: loaded.source === 'demo' },
    /** The configuration that was applied at the start. */
    loaded,
    /** The data is from a configuration file, but none is set: the demo was not applied. */
    keepsFileData: loaded !== requested,
    clock,
    random,
    hashing,
    sealing,
    passwords,
    secrets,
    storage,
    /** Chains the rows of the audit trail. */
    auditHash,
    keyRing,
    extensions,
    /** Files and folders that other accounts could use until this start. */
    restricted,
    log,
    /** Events that are not in the database yet. */
    eventBuffer: openEventBuffer(storage.eventLog, clock, log),
  }
}
