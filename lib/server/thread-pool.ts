import { poolThreads } from '#lib/config/limits.ts'

/**
 * Gives the process enough threads that signatures do not wait for password hashes. An operator's own
 * `UV_THREADPOOL_SIZE` counts before it. NOTE: Node reads it once, when the pool is first used.
 */
export function widenThreadPool(): void {
  process.env.UV_THREADPOOL_SIZE ??= String(poolThreads)
}
