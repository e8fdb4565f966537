/**
 * The periodic tasks of a running server: it deletes expired rows, makes and retires signing keys, counts the kinds of
 * imported password hashes, and verifies the audit chain.
 */
import { checkAudit } from '#lib/admin/overview/audit-check.ts'
import { learnHashKinds, maintainHashKinds } from '#lib/admin/users/imported-passwords.ts'
import { verifyAuditChain } from '#lib/crypto/audit-chain.ts'
import type { Events } from '#lib/ports/events.ts'
import { maintainKeys } from '../wiring/key-maintenance.ts'
import type { Resources } from '../wiring/resources.ts'

const purgeMs = 60_000
const keysMs = 3_600_000
const auditMs = 60_000
const hashKindsMs = 60_000

/** Starts the tasks and returns the function that stops them. A failed task is logged and repeated at its next time. */
export function startMaintenance(
  { storage, auditHash, keyRing, passwords, clock, log }: Resources,
  events: Events,
): () => void {
  const { meta, adminStore } = storage
  const repeat = repeatLogging(log)
  const timers = [
    repeat(purgeMs, () => storage.purge(clock.now())),
    repeat(keysMs, () => maintainKeys({ keyRing, events })),
    repeat(hashKindsMs, () => maintainHashKinds({ ...storage, passwords, clock })),
    // Does nothing if the chain was verified recently
    repeat(auditMs, () => checkAudit(meta, () => verifyAuditChain(adminStore.audit, auditHash), clock.now())),
  ]
  return () => {
    for (const timer of timers) clearInterval(timer)
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
