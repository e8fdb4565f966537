/** Ends the process in order: it accepts no new requests and completes the running ones, within a deadline. */
import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { server as limits } from '#lib/config/limits.ts'
import { declareDraining } from '../readiness.ts'

export type Drain = {
  readonly servers: readonly Server[]
  /** The time during which new requests are still accepted: behind a proxy, until the proxy has read `/readyz`. */
  readonly noticeMs: number
  /** Flushes logs and closes the database, after the last response. */
  readonly close: () => Promise<void>
  /** Whether connections are closed without waiting: in development, because the hot-reload socket never closes. */
  readonly isImmediate: boolean
}

const sweepMs = 100
const parentWatchMs = 500

/** The signals that end a node in order. */
export const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

type Ending = {
  readonly end: () => void
  /** Ends the process immediately, at a second signal. */
  readonly endAtOnce: () => void
  /** Whether the process ends with its parent: npm ends without a signal to its children. */
  readonly watchesParent: boolean
}

/**
 * Calls `end` once: for a signal, or when the parent process has ended. NOTE: npm forwards the signal of Ctrl-C, which
 * this process receives as well, so a signal that follows immediately is ignored.
 */
export function onEndSignal({ end, endAtOnce, watchesParent }: Ending): void {
  let begunAt: number | null = null
  const begin = () => {
    if (begunAt !== null) return
    begunAt = performance.now()
    end()
  }
  const onSignal = () => {
    if (begunAt !== null && performance.now() - begunAt > limits.secondSignalMs) endAtOnce()
    else begin()
  }
  for (const signal of endSignals) process.on(signal, onSignal)
  if (process.channel !== undefined) process.once('disconnect', begin)
  if (watchesParent) watchParent(begin)
}

/** Ends the process. Resolves when everything is closed. Must be called once. */
export async function drain({ servers, noticeMs, close, isImmediate }: Drain): Promise<void> {
  declareDraining()
  if (!isImmediate) await delay(noticeMs)
  const deadlineMs = isImmediate ? 0 : limits.drainDeadlineMs
  await Promise.all(servers.map(server => closeServer(server, deadlineMs)))
  await close()
}

/**
 * Closes the server. Resolves when the last response was sent, or at the deadline. NOTE: `server.close()` closes only
 * the connections that are idle when it is called; the others would stay open after their response.
 */
export async function closeServer(server: Server, deadlineMs: number): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs)
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
  await new Promise(resolve => server.close(resolve))
  clearTimeout(deadline)
  clearInterval(sweep)
}

/**
 * Shows that the server is stopping. On a terminal in two parts, the first after the echoed ^C; elsewhere in one line
 * at the end, between lines of the log.
 */
export function showStopping(): () => void {
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
