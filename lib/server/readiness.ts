/** Whether this process should get new requests: the database is reachable, there are keys, and it is not draining. */

export type ReadinessReport = {
  readonly status: 'ready' | 'not_ready'
  readonly checks: Readonly<Record<'database' | 'keys' | 'accepting', 'ok' | 'failed'>>
}

type Parts = {
  readonly ping: () => Promise<void>
  readonly keySet: () => Promise<unknown>
}

/** Migrations need no separate check: services open only after they were applied. */
export async function readiness({ ping, keySet }: Parts): Promise<ReadinessReport> {
  const [database, keys] = await Promise.all([check(ping), check(keySet)])
  const accepting = isDraining() ? 'failed' : 'ok'
  const checks = { database, keys, accepting } as const
  const isReady = Object.values(checks).every(result => result === 'ok')
  return { status: isReady ? 'ready' : 'not_ready', checks }
}

async function check(part: () => Promise<unknown>): Promise<'ok' | 'failed'> {
  return part().then(
    () => 'ok',
    () => 'failed',
  )
}

/** On `globalThis`, because under `--dev` Next loads its own copy of this file. */
const draining = Symbol.for('latchkey.draining')

/** Called when the process begins to end. */
export function declareDraining(): void {
  Reflect.set(globalThis, draining, true)
}

export function isDraining(): boolean {
  return Reflect.get(globalThis, draining) === true
}
