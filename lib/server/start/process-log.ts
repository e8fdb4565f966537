/** Opens the log of a process, and logs the output to the console and unhandled errors. */

import type { Config } from '#lib/config/env.ts'
import { createLog, type Log } from '#lib/events/log.ts'
import { describeError } from '#lib/events/safe-text.ts'
import { isClosedConnection } from '../host/page-outcome.ts'
import { workerNumber, writesToTerminal } from '../workers/node-process.ts'

/** Opens the log of this process. A worker's lines have its number. */
export function openProcessLog(level: Config['logLevel']): Log {
  return createLog({ level, pretty: writesToTerminal(), worker: workerNumber() })
}

/**
 * FW-09: redirects the console to the log, which redacts secrets. Next's progress messages are for developers of pages,
 * so their level is `debug`.
 */
export function redirectConsole(log: Pick<Log, 'write'>): void {
  const to = (level: 'debug' | 'warn' | 'error') => {
    return (...given: readonly unknown[]) => {
      const isExpected = given.some(isClosedConnection)
      log.write(isExpected ? 'debug' : level, 'framework', { text: given.map(textOf).join(' ') })
    }
  }
  Object.assign(console, { log: to('debug'), info: to('debug'), warn: to('warn'), error: to('error') })
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (!(value instanceof Error)) return typeof value
  const { name, message } = describeError(value)
  return `${name}: ${message}`
}

/**
 * LG-05: logs an unhandled rejection, and the process continues. After an uncaught exception the state of the process
 * is unknown: it is logged and the process ends, so that its supervisor starts a new one.
 */
export function logUncaughtErrors(log: Log): void {
  process.on('unhandledRejection', error => log.failure(error, { origin: 'unhandled_rejection' }))
  process.on('uncaughtException', error => {
    log.failure(error, { origin: 'uncaught_exception' })
    log.flush()
    process.exit(1)
  })
}
