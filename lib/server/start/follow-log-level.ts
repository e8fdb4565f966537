/** Applies the level of the log that the operator has set for a while. */
import { readLogLevel } from '#lib/admin/log-level.ts'
import { logLevelMs } from '#lib/config/limits.ts'
import type { Resources } from '../wiring/resources.ts'

/** Reads the level regularly. Returns the function that stops this. */
export function followLogLevel({
  storage: { meta },
  log,
  clock,
}: Pick<Resources, 'storage' | 'log' | 'clock'>): () => void {
  let isReading = false
  const read = async () => {
    if (isReading) return
    isReading = true
    try {
      log.setLevel(await readLogLevel({ meta }, clock.now()))
    } catch {
      // Without the database the level is unknown, and must not stay that of a time that may have ended
      log.setLevel(null)
    }
    isReading = false
  }
  void read()
  const timer = setInterval(read, logLevelMs).unref()
  return () => clearInterval(timer)
}
