/** The role of this process in its node: the only process, the primary process, or one of its workers. */
import cluster from 'node:cluster'
import type { Config } from '#lib/config/env.ts'
import type { NodeShare } from '#lib/config/node-share.ts'
import { automaticWorkers, usableMemory, usableProcessors } from './usable-processors.ts'

/** An argument of the worker that prepares the database and the configuration for the others. */
export const preparingWorker = '--prepares'
/** An argument of workers whose log is shown on a terminal: their own output is a pipe. */
export const onTerminal = '--on-terminal'

/** Returns the number of workers to start. If it is 1, this process serves itself. */
export function countWorkers(config: Pick<Config, 'workers' | 'databaseConnections'>): number {
  if (config.workers !== 'auto') return config.workers
  return automaticWorkers({
    processors: usableProcessors(),
    memoryBytes: usableMemory(),
    connections: config.databaseConnections,
  })
}

/**
 * Returns the share of this process in its node. NOTE: a worker gets the number of workers from the primary process, as
 * LATCHKEY_WORKERS, and does not calculate it again. Every other process counts as the only one.
 */
export function shareOfProcess({ workers: set }: Pick<Config, 'workers'>): NodeShare {
  const workers = cluster.isWorker && set !== 'auto' ? set : 1
  return { workers, processors: Math.max(1, Math.floor(usableProcessors() / workers)) }
}

/** Whether this process migrates the database and applies the configuration. */
export function preparesNode(): boolean {
  return !cluster.isWorker || process.argv.includes(preparingWorker)
}

/** The number of this process in the log; `null` in a process that is not a worker. */
export function workerNumber(): number | null {
  return cluster.worker?.id ?? null
}

export function writesToTerminal(): boolean {
  return process.stdout.isTTY === true || (cluster.isWorker && process.argv.includes(onTerminal))
}
