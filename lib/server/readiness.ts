/** Whether this process should get new requests: database reachable, keys present, and not about to end. */
import { isDraining } from './start/draining.ts'

export type ReadinessReport = {
  readonly status: 'ready' | 'not_ready'
  readonly checks: Readonly<Record<'database' | 'keys' | 'accepting', 'ok' | 'failed'>>
}

type Parts = {
  readonly ping: () => Promise<void>
  readonly keySet: () => Promise<unknown>
}

/** Migrations need no check of their own: services do not open before they are applied. */
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
