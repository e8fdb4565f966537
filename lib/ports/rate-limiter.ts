/** Rate limits on failed attempts and on requests. */
import type { Counted } from './admin-lists.ts'

/** One limit. `key` may contain user names and addresses, so the adapter must store only a digest of it. */
export type RateLimitRule = {
  readonly key: string
  readonly limit: number
  readonly windowSeconds: number
  /** The canonical name of the account, if the limit counts the sign-ins of one account. */
  readonly account?: string
  /**
   * Whether the limit applies only while a different limit blocks the account, so that it does not count as a block.
   */
  readonly isSpare?: true
}

export type Attempt = {
  readonly kind: 'begun'
  /** The failures in the current window of the first rule, before this attempt. */
  readonly failures: number
  /** Ends the attempt. Must be called exactly once. Only `failed` is counted, before the promise resolves. */
  readonly end: (outcome: 'passed' | 'failed') => Promise<void>
}

export type RateLimiter = {
  /**
   * Starts an attempt whose outcome is not known yet. It is refused when failures have used up one of the limits. If
   * attempts that are being checked could use up a limit, it waits for them, at most `attemptsInFlight.longestWaitMs`:
   * most of them may succeed. In one process, failures and attempts that are being checked never exceed a limit
   * together; decision 054 has the limit of several processes. `isPatient: false`: the attempt is refused instead of
   * waiting.
   */
  readonly begin: (
    rules: readonly RateLimitRule[],
    now: Date,
    isPatient?: boolean,
  ) => Promise<Attempt | { kind: 'limited'; retryAfterSeconds: number }>
  /** Counts one event against every rule, like a failed attempt. `limited`: nothing was counted. */
  readonly consume: (
    rules: readonly RateLimitRule[],
    now: Date,
  ) => Promise<{ kind: 'allowed' } | { kind: 'limited'; retryAfterSeconds: number }>
  /** Takes back what `consume` counted. */
  readonly refund: (rules: readonly RateLimitRule[], now: Date) => Promise<void>
  /**
   * Returns the seconds until all of these rules allow an attempt again; 0 if they allow one now. Waits like `begin`,
   * for all attempts that have not ended. Failures on other nodes are known after a second.
   */
  readonly blockedSeconds: (rules: readonly RateLimitRule[], now: Date) => Promise<number>
  /** Returns those of the accounts whose sign-ins are blocked because of failures, at least from one network. */
  readonly blocksOf: (
    accounts: readonly string[],
    now: Date,
  ) => Promise<ReadonlyMap<string, { until: Date; failures: number }>>
  /** Returns the time until which failures have used up one of these rules; `null`: none is used up. Does not wait for attempts in flight. */
  readonly usedUpUntil: (rules: readonly RateLimitRule[], now: Date) => Promise<Date | null>
  /** Counts the accounts whose sign-ins are blocked, up to a maximum. */
  readonly countBlocked: (now: Date) => Promise<Counted>
  /** Deletes the counters of these rules. */
  readonly forget: (rules: readonly RateLimitRule[]) => Promise<void>
  /** Deletes the counters of the rules with this `account`. Other counters are kept, such as those of networks. */
  readonly allow: (account: string) => Promise<void>
}
