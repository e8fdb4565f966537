/** Rate limits on failed attempts and on requests. */

import { rateLimits } from '#lib/config/limits.ts'
import { addressKey } from '#lib/protocol/text/addresses.ts'
import type { Counted } from './admin-lists.ts'
import type { Clock } from './environment.ts'

/** One counted limit. `key` names users and addresses: the adapter must store a digest of it. */
export type RateLimitRule = {
  readonly key: string
  readonly limit: number
  readonly windowSeconds: number
  /** The canonical name of the account whose sign-ins it counts, if it is about one. */
  readonly account?: string
}

export type Attempt = {
  readonly kind: 'begun'
  /** Must be called once, whatever happens. Only `failed` is counted, before it resolves. */
  readonly end: (outcome: 'passed' | 'failed') => Promise<void>
}

export type RateLimiter = {
  /**
   * Starts an attempt whose outcome is not known yet. Refused when failures have used up one of the limits. If they use it up
   * only together with attempts that are being checked, it waits for these (seconds at most), so that right passwords are not
   * refused for being parallel. Both together never exceed a limit in one process; decision 54 has the bound of several.
   */
  readonly begin: (
    rules: readonly RateLimitRule[],
    now: Date,
  ) => Promise<Attempt | { kind: 'limited'; retryAfterSeconds: number }>
  /** Counts one event against every rule, like an attempt that failed. `limited` counts nothing. */
  readonly consume: (
    rules: readonly RateLimitRule[],
    now: Date,
  ) => Promise<{ kind: 'allowed' } | { kind: 'limited'; retryAfterSeconds: number }>
  /** Takes back what `consume` counted. */
  readonly refund: (rules: readonly RateLimitRule[], now: Date) => Promise<void>
  /**
   * Seconds until every one of these rules lets an attempt pass again; 0 when failures exhaust none of them. Waits like
   * `begin`, for all attempts that have not ended. Failures on other nodes are known after a second.
   */
  readonly blockedSeconds: (rules: readonly RateLimitRule[], now: Date) => Promise<number>
  /** Of these accounts, those whose sign-ins are blocked by failures, at least from one place. */
  readonly blocksOf: (
    accounts: readonly string[],
    now: Date,
  ) => Promise<ReadonlyMap<string, { until: Date; failures: number }>>
  /** How many accounts are blocked like this. */
  readonly countBlocked: (now: Date) => Promise<Counted>
  /** Forgets the failures of this account everywhere; not those that an address made with several accounts. */
  readonly allow: (account: string) => Promise<void>
}

type CheckedAttempt<T> =
  | { readonly kind: 'checked'; readonly result: T }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }

/**
 * Runs `check` unless the limits are used up. Only failures count; a `check` that throws is not one. AU-09: the limits also
 * bound the checks that run at the same time.
 */
export async function checkWithinLimits<T>(
  { rateLimiter, clock }: { readonly rateLimiter: RateLimiter; readonly clock: Clock },
  rules: readonly RateLimitRule[],
  { check, isFailure }: { readonly check: () => Promise<T>; readonly isFailure: (result: T) => boolean },
): Promise<CheckedAttempt<T>> {
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

type SignInAttempt = {
  /** As the user service canonicalises it, so that every spelling of one account shares a counter. */
  readonly canonicalUsername: string
  /** `null` when the host cannot know it: then only the account counts. */
  readonly address: string | null
}

/** The account, the account from this address, and the address. One way in cannot be used to get around another's limit. */
export function signInRateLimits({ canonicalUsername, address }: SignInAttempt): readonly RateLimitRule[] {
  const about = { account: canonicalUsername }
  const account = { ...about, key: keyOf('sign-in:account', canonicalUsername), ...rateLimits.account }
  if (address === null) return [account]
  const place = addressKey(address)
  return [
    account,
    {
      ...about,
      key: keyOf('sign-in:account-address', canonicalUsername, place),
      ...rateLimits.accountAndAddress,
    },
    { key: keyOf('sign-in:address', place), ...rateLimits.address },
  ]
}

/** Of a client or scope that authenticates with a secret. `id`: as it was presented. */
type ClientAttempt = { readonly id: string; readonly address: string | null }

/** The ID from this address; from any address, when the address is unknown. */
export function narrowestClientRateLimit({ id, address }: ClientAttempt): RateLimitRule {
  if (address === null) return { key: keyOf('client', id), ...rateLimits.client }
  return { key: keyOf('client-address', id, addressKey(address)), ...rateLimits.clientAndAddress }
}

/**
 * The narrowest rule is first, then the ID, then the address. The last names no client, so that made-up names cannot bypass it
 * (TK-07).
 */
export function clientRateLimits(attempt: ClientAttempt): readonly [RateLimitRule, ...RateLimitRule[]] {
  const { id, address } = attempt
  const narrowest = narrowestClientRateLimit(attempt)
  if (address === null) return [narrowest]
  return [
    narrowest,
    { key: keyOf('client', id), ...rateLimits.client },
    { key: keyOf('clients-address', addressKey(address)), ...rateLimits.clientAddress },
  ]
}

// As JSON, so that no name can be chosen to fall together with another's key.
function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}
