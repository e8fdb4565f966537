/**
 * Whether this node should get new requests: the database is reachable, there are keys, the node is not draining, and
 * at least half of its workers serve.
 */
import { workers as limits } from '#lib/config/limits.ts'

type Check = 'ok' | 'failed'

/** The number of workers of a node, as counted by its primary process. */
export type WorkerCounts = { readonly wanted: number; readonly running: number }

export type ReadinessReport = {
  readonly status: 'ready' | 'not_ready'
  readonly checks: Readonly<Record<'database' | 'keys' | 'accepting', Check>> & { readonly workers?: Check }
  /** The counted workers; only for a node with several workers. */
  readonly workers?: WorkerCounts
}

type Parts = {
  readonly ping: () => Promise<void>
  readonly keySet: () => Promise<unknown>
}

/** Checks all parts. Migrations need no check: services open only after migrations were applied. */
export async function readiness({ ping, keySet }: Parts): Promise<ReadinessReport> {
  const [database, keys] = await Promise.all([check(ping), check(keySet)])
  const accepting = isDraining() ? 'failed' : 'ok'
  const counted = countedWorkers()
  const checks = {
    database,
    keys,
    accepting,
    ...(counted === undefined ? {} : { workers: checkWorkers(counted) }),
  } as const
  const isReady = Object.values(checks).every(result => result === 'ok')
  return {
    status: isReady ? 'ready' : 'not_ready',
    checks,
    ...(counted === undefined ? {} : { workers: counted.workers }),
  }
}

async function check(part: () => Promise<unknown>): Promise<Check> {
  return part().then(
    () => 'ok',
    () => 'failed',
  )
}

function checkWorkers({ workers: { wanted, running }, heardAt }: Counted): Check {
  const isKnown = performance.now() - heardAt < limits.wordMs
  return isKnown && running * 2 >= wanted ? 'ok' : 'failed'
}

/** The names under which `globalThis` contains the state, because Next loads its own copy of this file. */
const [draining, counts] = [Symbol.for('latchkey.draining'), Symbol.for('latchkey.workers')]

/** Reports that the process begins to end. */
export function declareDraining(): void {
  Reflect.set(globalThis, draining, true)
}

export function isDraining(): boolean {
  return Reflect.get(globalThis, draining) === true
}

type Counted = { readonly workers: WorkerCounts; readonly heardAt: number }

function countedWorkers(): Counted | undefined {
  return Reflect.get(globalThis, counts) as Counted | undefined
}

/** Returns the latest counts; `undefined` if there are none, as in the only process of a node. */
export function workersOfNode(): WorkerCounts | undefined {
  return countedWorkers()?.workers
}

/** Stores the counts. Called whenever the primary process counts the workers. */
export function declareWorkers(workers: WorkerCounts): void {
  Reflect.set(globalThis, counts, { workers, heardAt: performance.now() } satisfies Counted)
}
