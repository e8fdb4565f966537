/** What Next writes to the console goes through our log, so that the same redaction holds for it (FW-09). */
import { describeError } from '#lib/events/describe-error.ts'
import type { Log } from '#lib/events/log.ts'

/** Its progress messages are for developers of pages: they appear at `debug` only. */
export function redirectConsole(log: Log): void {
  const to = (level: 'debug' | 'warn' | 'error') => {
    return (...given: readonly unknown[]) =>
      log.write(level, 'framework', { text: given.map(textOf).join(' ') })
  }
  Object.assign(console, { log: to('debug'), info: to('debug'), warn: to('warn'), error: to('error') })
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (!(value instanceof Error)) return typeof value
  const { name, message } = describeError(value)
  return `${name}: ${message}`
}
