/** Ends the process in order: it accepts no new requests and completes the running ones, within a deadline. */
import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { server as limits } from '#lib/config/limits.ts'
import { declareDraining } from '../readiness.ts'

export type Drain = {
  readonly server: Server
  /** How long new requests are still accepted: behind a proxy, until it has read `/readyz`. */
  readonly noticeMs: number
  /** Flushes logs and closes the database, after the last answer. */
  readonly close: () => Promise<void>
  /** Development: the hot-reload socket never closes. */
  readonly isImmediate: boolean
  /** Started by npm, which ends without a signal to its children. */
  readonly watchesParent: boolean
}

const sweepMs = 100
const parentWatchMs = 500

/** Drains on SIGTERM, SIGINT and SIGHUP, and when a watched parent process has ended. */
export function drainOnSignals(drain: Drain): void {
  let isStarted = false
  const begin = () => {
    if (isStarted) return
    isStarted = true
    void runDrain(drain)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, begin)
  if (process.channel !== undefined) process.once('disconnect', begin)
  if (drain.watchesParent) watchParent(begin)
}

async function runDrain({ server, noticeMs, close, isImmediate }: Drain): Promise<void> {
  declareDraining()
  const endProgress = showProgress()
  if (!isImmediate) await delay(noticeMs)
  await closeServer(server, isImmediate ? 0 : limits.drainDeadlineMs)
  await close()
  endProgress()
  process.exit(0)
}

/**
 * Resolves when the last response was sent, or at the deadline. NOTE: `server.close()` waits indefinitely: a connection
 * with a running request keeps its keep-alive.
 */
export async function closeServer(server: Server, deadlineMs: number): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs)
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
  await new Promise(resolve => server.close(resolve))
  clearTimeout(deadline)
  clearInterval(sweep)
}

/** On a terminal in two parts, the first after the echoed ^C; elsewhere as one line at the end, between lines of the log. */
function showProgress(): () => void {
  const [begun, ended] = ['Stopping … ', 'stopped.\n']
  if (process.stdout.isTTY !== true) return () => void process.stdout.write(begun + ended)
  process.stdout.write(`\n${begun}`)
  return () => void process.stdout.write(ended)
}

function watchParent(onGone: () => void): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) onGone()
  }, parentWatchMs)
  watch.unref()
}
