/**
 * The resources that a process opens once: configuration, database, keys, extensions, log. They are on `globalThis`,
 * because Next and this HTTP server each load their own copy of every module.
 */

import { seedDemoOwner } from '#lib/admin/access/operator.ts'
import { applyConfiguration } from '#lib/admin/configuration/apply-configuration.ts'
import { loadConfiguration, refusalOf } from '#lib/admin/configuration/load-configuration.ts'
import { withoutUnaskedDemo } from '#lib/admin/configuration/managed-names.ts'
import { learnHashKinds } from '#lib/admin/users/imported-passwords.ts'
import { type Config, readConfig } from '#lib/config/env.ts'
import { passwordHashing } from '#lib/config/limits.ts'
import { type NodeShare, shareOf } from '#lib/config/node-share.ts'
import { createLateAuditHash } from '#lib/crypto/audit-chain.ts'
import { createHashing } from '#lib/crypto/hashing.ts'
import { algorithmsInUse } from '#lib/crypto/keys/algorithms-in-use.ts'
import { openDataKeys } from '#lib/crypto/keys/data-keys.ts'
import { createKeyRing } from '#lib/crypto/keys/key-ring.ts'
import { loadMasterKeys } from '#lib/crypto/keys/master-key.ts'
import { createSealing, deriveKey } from '#lib/crypto/keys/sealing.ts'
import { openBreachedList } from '#lib/crypto/passwords/breached-list.ts'
import { createNetworkFailures } from '#lib/crypto/passwords/check-queue.ts'
import { createPasswords } from '#lib/crypto/passwords/passwords.ts'
import { createSecretHashing, createSecrets } from '#lib/crypto/passwords/secrets.ts'
import { createRandom } from '#lib/crypto/random.ts'
import { isConfigError } from '#lib/errors/config-error.ts'
import { createEventBuffer, type EventBuffer } from '#lib/events/database-sink.ts'
import type { Log } from '#lib/events/log.ts'
import { rateLimitedEventLog } from '#lib/events/rate-limited-event-log.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { EventLog } from '#lib/ports/events.ts'
import { openStorage } from '#lib/storage/open.ts'
import { findMeta } from '#lib/storage/open-audit-trail.ts'
import { openProcessLog } from '../start/process-log.ts'
import { readVersion } from '../start/version.ts'
import { preparesNode, shareOfProcess } from '../workers/node-process.ts'
import { adminSecondFactorFrom } from './admin-second-factor.ts'
import { createAfterwards } from './afterwards.ts'
import { loadExtensions } from './extensions.ts'
import { queueMeters, statementMeter } from './measured-work.ts'
import { openMetrics, withMetrics } from './metrics.ts'
import { operatorPorts } from './operator-ports.ts'
import { restrictDataFiles } from './restrict-data-files.ts'
import { importSigningCertificate } from './signing-certificate.ts'
import { openTracesOf } from './traces.ts'

export type Resources = Readonly<Awaited<ReturnType<typeof openResources>>>

const slot = Symbol.for('latchkey.resources')

/**
 * Opens the resources at the first call; the schema must exist. In the process that prepares its node, this applies the
 * configuration and makes missing keys. After a failure the next call opens them again.
 */
export function resources(): Promise<Resources> {
  const opened: Promise<Resources> | undefined = Reflect.get(globalThis, slot)
  if (opened !== undefined) return opened
  const opening = openResources(readConfig(process.env)).catch(forget)
  Reflect.set(globalThis, slot, opening)
  return opening
}

type EventBufferParts = {
  readonly eventLog: EventLog
  readonly clock: Clock
  readonly log: Log
  readonly share: NodeShare
}

/** Opens the buffer of events. Floods of events are limited before they are stored. */
function openEventBuffer({ eventLog, clock, log, share }: EventBufferParts): EventBuffer {
  const onFailure = (error: unknown, lost = 0) => log.failure(error, { origin: 'event_log', lost })
  const limited = rateLimitedEventLog(eventLog, clock, limit => shareOf(limit, share))
  const { record, flush, counts } = createEventBuffer({ log: limited, onFailure })
  return { record, counts, flush: () => flush().then(limited.settle).catch(onFailure) }
}

function forget(error: unknown): never {
  Reflect.deleteProperty(globalThis, slot)
  throw error
}

async function openResources(config: Config) {
  const parts = await openParts(config)
  const applied = preparesNode() ? await prepareNode(parts) : null
  return {
    ...parts,
    config: { ...config, demo: applied === null ? config.demo : applied.loaded.source === 'demo' },
    /** The configuration that this process applied; `null` in a worker that found everything prepared. */
    applied,
  }
}

type Parts = Awaited<ReturnType<typeof openParts>>

async function openParts(config: Config) {
  const clock = { now: () => new Date() }
  const share = shareOfProcess(config)
  const restricted = restrictDataFiles(config)
  const masterKeys = await loadMasterKeys(config, name => findMeta(config.database, name))
  const extensions = await loadExtensions(config.extensionsFile)
  const audit = createLateAuditHash()
  const { metrics, log, traces } = await openObservation(config)
  const storage = await openStorage(config.database, audit.hash, {
    share,
    connections: shareOf(config.databaseConnections, share),
    meter: statementMeter({ metrics, traces }, config.database.kind),
  })
  const { keys } = await openDataKeys(masterKeys, storage.meta)
  audit.use(keys.audit)
  const sealing = createSealing(keys.sealing)
  metrics?.watchConnections(storage.connections)
  const eventBuffer = openEventBuffer({ eventLog: storage.eventLog, clock, log, share })
  metrics?.watchEvents(eventBuffer.counts)
  const keyRing = createKeyRing({
    keys: storage.signingKeys,
    sealing,
    clock,
    issuer: config.issuer,
    hasCertificates: config.hasKeyCertificates,
    algorithmsInUse: () => algorithmsInUse({ ...storage, accessTokenFormat: config.accessTokenFormat }),
    processors: share.processors,
  })
  const { passwords, secrets } = await openPasswords(config, { key: keys.derivation, share, metrics, traces })
  await learnHashKinds({ meta: storage.meta, passwords })
  return {
    config,
    share,
    clock,
    random: createRandom(),
    hashing: createHashing(),
    sealing,
    passwords,
    secrets,
    storage,
    /** The time from which the dashboard requires a second factor; `null`: never. */
    adminSecondFactorFrom: await adminSecondFactorFrom(config, { meta: storage.meta, clock }),
    /** Chains the rows of the audit trail. */
    auditHash: audit.hash,
    /** For the rotation of the master key. Everything else uses the data keys. */
    masterKeys,
    keyRing,
    extensions,
    /** Files and folders that other accounts could access until this start. */
    restricted,
    log,
    /** The metrics of this process; `null` if they are off. */
    metrics,
    /** The traces of this process; `null` if none are sent. */
    traces,
    /** Events that are not yet in the database. */
    eventBuffer,
    version: await readVersion(),
    examine: examining({ config, clock, log, runningSince: storage.databaseStatus.openedAt }),
    afterwards: createAfterwards(error => log.failure(error, { origin: 'afterwards' })),
  }
}

/** Opens the log, and the metrics and traces if there are any. */
async function openObservation(config: Config) {
  const metrics = openMetrics(config)
  const log = withMetrics(openProcessLog(config.logLevel), metrics)
  return { metrics, log, traces: await openTracesOf(config, log) }
}

type Examined = {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly runningSince: Date
}

/**
 * Returns the function that runs the checks of the doctor. NOTE: they open files, which works only in this copy of the modules, not
 * in that of Next.
 */
function examining({ config, clock, log, runningSince }: Examined) {
  return async () => {
    const { runDoctor } = await import('../doctor/run-doctor.ts')
    const onFailure = (error: unknown) => log.failure(error, { origin: 'doctor' })
    return runDoctor({ config, runningSince, now: clock.now(), onFailure })
  }
}

type PasswordParts = {
  readonly key: Parameters<typeof deriveKey>[0]
  readonly share: NodeShare
} & Parameters<typeof queueMeters>[0]

/** Opens the hashing of passwords and of secrets, which share the counts of failures of networks. */
async function openPasswords(
  { breachedPasswordsFile: list }: Config,
  { key, share, ...measuring }: PasswordParts,
) {
  const meter = queueMeters(measuring)
  const failures = createNetworkFailures()
  const substituteKey = deriveKey(key, 'substitute-hashes')
  const breached = list === null ? null : await openBreachedList(list)
  const hashing = createSecretHashing(passwordHashing, { failures, share, meter: meter?.('secret') })
  return {
    passwords: createPasswords(passwordHashing, { substituteKey, failures, share, breached, meter }),
    secrets: createSecrets(hashing),
  }
}

/** Prepares the node: the configuration, the signing keys, and the owner of the demo. */
async function prepareNode({ config, storage, clock, keyRing, extensions, ...parts }: Parts) {
  const requested = await loadConfiguration(config, { customGrants: extensions.customGrants ?? [] })
  const loaded = await withoutUnaskedDemo(storage.meta, requested, config.isDemoRequested)
  const { random, sealing, passwords, secrets } = parts
  const keyTools = { random, sealing, passwords, secrets }
  await applyConfiguration({ ...keyTools, storage, clock }, loaded).catch(error => {
    if (!isConfigError(error) || config.configFile === null) throw error
    throw refusalOf(config.configFile, error.message.split('\n'))
  })
  await importSigningCertificate(config, { keyRing, meta: storage.meta, clock })
  await keyRing.ensureKeys()
  await seedDemoOwner(operatorPorts({ ...parts, storage, clock, config }), loaded)
  return {
    /** The configuration that was applied. */
    loaded,
    /** Whether the data is from a configuration file although none is set now: the demo was not applied. */
    keepsFileData: loaded !== requested,
  }
}
