/** Checks a password or secret under a limit on failed attempts. */
import type { Clock } from './environment.ts'
import type { RateLimiter, RateLimitRule } from './sessions.ts'

export type LimitedAttempt<T> =
  | { readonly kind: 'checked'; readonly result: T }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }

/**
 * Runs `check` unless the limits are used up; only results that are failures count afterwards. An attempt is counted
 * before the check, so that parallel guesses cannot all pass (AU-09), and taken back when `check` throws.
 */
export async function limitedAttempt<T>(
  { rateLimiter, clock }: { readonly rateLimiter: RateLimiter; readonly clock: Clock },
  rules: readonly RateLimitRule[],
  { check, isFailure }: { readonly check: () => Promise<T>; readonly isFailure: (result: T) => boolean },
): Promise<LimitedAttempt<T>> {
  const attempt = await rateLimiter.begin(rules, clock.now())
  if (attempt.kind === 'limited') return attempt
  let outcome: 'passed' | 'failed' = 'passed'
  try {
    const result = await check()
    outcome = isFailure(result) ? 'failed' : 'passed'
    return { kind: 'checked', result }
  } finally {
    await attempt.end(outcome)
  }
}
