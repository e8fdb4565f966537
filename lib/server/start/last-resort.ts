/** For errors that no request was waiting for (LG-05). */
import type { Log } from '#lib/events/log.ts'

/**
 * A forgotten rejection is logged and the process lives on. After an exception outside of everything nothing is
 * known to be whole: it is logged and the process ends, for its supervisor to start a clean one.
 */
export function installLastResort(log: Log): void {
  process.on('unhandledRejection', error => log.failure(error, { origin: 'unhandled_rejection' }))
  process.on('uncaughtException', error => {
    log.failure(error, { origin: 'uncaught_exception' })
    log.flush()
    process.exit(1)
  })
}
