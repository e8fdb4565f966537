/**
 * What a running server does by itself: removes what has expired, makes the next signing keys in time, and walks the
 * chain of changes.
 */

export type Housekeeping = {
  /** Removes expired rows in small steps; returns how many. */
  readonly purge: () => Promise<number>
  readonly ensureKeys: () => Promise<unknown>
  /** Does nothing when that was done lately. */
  readonly checkAudit: () => Promise<unknown>
  readonly onFailure: (error: unknown) => void
}

const purgeMs = 60_000
const keysMs = 3_600_000
const auditMs = 60_000

/** Returns the function that ends it. A failed round is reported and tried again at the next. */
export function startHousekeeping({ purge, ensureKeys, checkAudit, onFailure }: Housekeeping): () => void {
  const timers = [
    every(purgeMs, purge, onFailure),
    every(keysMs, ensureKeys, onFailure),
    every(auditMs, checkAudit, onFailure),
  ]
  return () => {
    for (const timer of timers) clearInterval(timer)
  }
}

/** A round that takes longer than the pause is never run twice at once. */
function every(
  milliseconds: number,
  task: () => Promise<unknown>,
  onFailure: (error: unknown) => void,
): NodeJS.Timeout {
  let isRunning = false
  const timer = setInterval(async () => {
    if (isRunning) return
    isRunning = true
    await task().catch(onFailure)
    isRunning = false
  }, milliseconds)
  return timer.unref()
}
