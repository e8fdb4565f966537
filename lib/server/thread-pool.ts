import { poolThreads } from '#lib/config/limits.ts'

/**
 * Gives the process of this environment enough threads that signatures do not wait for password hashes. An operator's own
 * `UV_THREADPOOL_SIZE` counts before it. NOTE: Node reads it once, when the pool is first used.
 */
export function widenThreadPool(environment: NodeJS.ProcessEnv): void {
  environment.UV_THREADPOOL_SIZE ??= String(poolThreads)
}
