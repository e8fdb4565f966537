/** Tries are counted before they are made; one that never reached the secret was none. */
import type { Clock } from './environment.ts'
import type { Throttle, ThrottleRule } from './sessions.ts'

/** What `ask` answers. When it throws instead, the count is taken back. */
export async function refundedOnFailure<T>(
  { throttle, clock }: { readonly throttle: Throttle; readonly clock: Clock },
  rules: readonly ThrottleRule[],
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    await throttle.refund(rules, clock.now())
    throw error
  }
}
