/**
 * The periodic tasks of a running server: it deletes expired rows, makes and retires signing keys, counts the kinds of
 * imported password hashes, verifies the audit chain, carries out planned changes of accounts, and sends the messages of the
 * outbox.
 */
import { checkAudit, readAuditCheck } from '#lib/admin/overview/audit-check.ts'
import { learnHashKinds, maintainHashKinds } from '#lib/admin/users/imported-passwords.ts'
import { metrics as metricLimits, outbox } from '#lib/config/limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import { verifyAuditChain } from '#lib/crypto/audit-chain.ts'
import { messageSenders } from '#lib/delivery/kinds.ts'
import { sendDueDeliveries } from '#lib/delivery/send-deliveries.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import { createRequestId } from '#lib/http/request-id.ts'
import { carryOutDeletions } from '#lib/identity/account-deletion/carry-out.ts'
import { removeLostPasskeys } from '#lib/identity/planned-changes.ts'
import { readStates } from '#lib/metrics/state-metrics.ts'
import type { Events } from '#lib/ports/events.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { accountPorts, noticesWithoutRequest } from '../wiring/account-ports.ts'
import { maintainKeys } from '../wiring/key-maintenance.ts'
import { tracedSenders } from '../wiring/measured-work.ts'
import { logAuditHead } from '../wiring/operator-ports.ts'
import type { Resources } from '../wiring/resources.ts'

const purgeMs = 60_000
const keysMs = 3_600_000
const auditMs = 60_000
const hashKindsMs = 60_000
const plannedChangesMs = 60_000
const deletionsMs = 60_000

/**
 * Starts the tasks. A failed task is logged and repeated at its next time. Returns the function that stops them; it
 * resolves when the messages that are being sent are settled, after `outbox.stopMs` without waiting for receivers.
 */
export function startMaintenance(resources: Resources, events: Events): () => Promise<void> {
  const { storage, auditHash, keyRing, passwords, clock, log, ...others } = resources
  const { meta, adminStore } = storage
  const repeat = repeatLogging(log)
  const stopping = new AbortController()
  const cutOff = new AbortController()
  const deliveries = {
    ...{ stopping: stopping.signal, cutOff: cutOff.signal },
    ...{ outbox: storage.outbox, sealing: others.sealing, random: others.random, clock, events },
    send: tracedSenders(messageSenders(others.config), others.traces),
    count: others.metrics?.countDelivery,
    report: (error: unknown) => log.failure(error, { chore: 'outbox' }),
    newRequestId: createRequestId,
  }
  const carryingOut = {
    ...{ plannedChanges: storage.plannedChanges, clock, events },
    securityNotice: noticesWithoutRequest({ ...others, storage, passwords, clock }, securityNotice),
    newRequestId: createRequestId,
  }
  let sending: Promise<unknown> = Promise.resolve()
  const sendMessages = () => {
    sending = sendDueDeliveries(deliveries).catch(unlessUnavailable)
    return sending
  }
  const deletionPorts = { ...accountPorts(resources, events), adminStore: logAuditHead(adminStore, log) }
  const timers = [
    ...startStates(resources),
    repeat(outbox.everyMs, sendMessages),
    repeat(purgeMs, () => storage.purge(clock.now())),
    repeat(deletionsMs, () => carryOutDeletions(deletionPorts, newTaskContext())),
    repeat(keysMs, () => maintainKeys({ keyRing, events })),
    repeat(plannedChangesMs, () => removeLostPasskeys(carryingOut)),
    repeat(hashKindsMs, () => maintainHashKinds({ ...storage, passwords, clock })),
    // Does nothing if the chain was verified recently
    repeat(auditMs, () => checkAudit(meta, () => verifyAuditChain(adminStore.audit, auditHash), clock.now())),
  ]
  return async () => {
    for (const timer of timers) clearInterval(timer)
    stopping.abort()
    const wait = setTimeout(() => cutOff.abort(), outbox.stopMs)
    // A failure was logged by the task, and must not keep the rest of the server from closing
    await sending.catch(() => {})
    clearTimeout(wait)
  }
}

/**
 * Makes this process regularly read the hash kinds that the maintaining process counted. Returns the function that
 * stops this task.
 */
export function followHashKinds({
  storage: { meta },
  passwords,
  log,
}: Pick<Resources, 'storage' | 'passwords' | 'log'>): () => void {
  const timer = repeatLogging(log)(hashKindsMs, () => learnHashKinds({ meta, passwords }))
  return () => clearInterval(timer)
}

/** Reads the states for metrics, now and regularly. Without metrics there is no timer. */
function startStates({ metrics, storage, clock, log }: Resources): readonly NodeJS.Timeout[] {
  if (metrics === null) return []
  const auditCheck = () => readAuditCheck(storage.meta)
  const read = () => readStates(metrics.registry, { ...storage, auditCheck }, clock.now())
  const report = (error: unknown) => log.failure(error, { chore: 'metrics' })
  read().catch(report)
  return [repeatTask(metricLimits.statesEveryMs, () => read().catch(report))]
}

/** The context of events of tasks, which no request causes. */
function newTaskContext(): RequestContext {
  return { requestId: createRequestId(), address: null, userAgent: null }
}

/** Ignores that the database is away: other tasks report it, and the next look for messages follows in a second. */
function unlessUnavailable(error: unknown): void {
  if (!isOauthError(error)) throw error
}

function repeatLogging(log: Resources['log']) {
  return (milliseconds: number, task: () => Promise<unknown>) =>
    repeatTask(milliseconds, () => task().catch(error => log.failure(error, { chore: 'housekeeping' })))
}

/** Repeats a task. A task that takes longer than the interval is not started a second time. */
function repeatTask(milliseconds: number, task: () => Promise<unknown>): NodeJS.Timeout {
  let isRunning = false
  const timer = setInterval(async () => {
    if (isRunning) return
    isRunning = true
    await task()
    isRunning = false
  }, milliseconds)
  return timer.unref()
}
