/** What Next writes to the console goes through our log, so that the same redaction applies (FW-09). */

import type { Log } from '#lib/events/log.ts'
import { describeError } from '#lib/events/safe-text.ts'

/** Next's progress messages are for developers of pages: they are logged at `debug` only. */
export function redirectConsole(log: Pick<Log, 'write'>): void {
  const to = (level: 'debug' | 'warn' | 'error') => {
    return (...given: readonly unknown[]) => {
      const isExpected = given.some(isClosedConnection)
      log.write(isExpected ? 'debug' : level, 'framework', { text: given.map(textOf).join(' ') })
    }
  }
  Object.assign(console, { log: to('debug'), info: to('debug'), warn: to('warn'), error: to('error') })
}

/**
 * Whether a request failed because its client closed the connection while the body was arriving. NOTE: Next makes a `Request`
 * of the incoming message; when it has been aborted, undici refuses it with this message, which names the wrong object.
 */
export function isClosedConnection(error: unknown): boolean {
  return (
    error instanceof TypeError && error.message === 'Response body object should not be disturbed or locked'
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (!(value instanceof Error)) return typeof value
  const { name, message } = describeError(value)
  return `${name}: ${message}`
}
