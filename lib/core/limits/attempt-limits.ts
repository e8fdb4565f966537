/** The limits on failed attempts of an account, a client and an address, and the check of one attempt within them. */
import { rateLimits } from '#lib/config/limits.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { RateLimiter, RateLimitRule } from '#lib/ports/rate-limiter.ts'
import { limitKey, networkRules } from '#lib/protocol/network-limits.ts'
import { hostNetwork, siteNetwork } from '#lib/protocol/text/addresses.ts'

/**
 * The limits of one attempt. `shared` rules also count failures of other callers: an attempt that has no room in them can
 * pass with `spare` instead, so that a caller without failures is not refused for those of others.
 */
export type AttemptLimits = {
  readonly own: readonly RateLimitRule[]
  readonly shared: readonly RateLimitRule[]
  /** The rules that replace `shared` when it is used up; empty: every attempt is then refused. */
  readonly spare: readonly RateLimitRule[]
}

/** Makes limits without `shared` and `spare` rules. */
export function ownLimits(own: readonly RateLimitRule[]): AttemptLimits {
  return { own, shared: [], spare: [] }
}

type CheckedAttempt<T> =
  | { readonly kind: 'checked'; readonly result: T }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }

type LimitingPorts = { readonly rateLimiter: RateLimiter; readonly clock: Clock }

type Checks<T> = {
  /** Gets the number of failures in the window of the first limit. */
  readonly check: (failures: number) => Promise<T>
  readonly isFailure: (result: T) => boolean
}

/**
 * Runs `check` unless the limits are used up. Only failures count, and not a `check` that throws. AU-09: the limits
 * also restrict the number of concurrent checks.
 */
export async function checkWithinLimits<T>(
  ports: LimitingPorts,
  limits: AttemptLimits,
  { check, isFailure }: Checks<T>,
): Promise<CheckedAttempt<T>> {
  const attempt = await beginWithin(ports, limits)
  if (attempt.kind === 'limited') return attempt
  let outcome: 'passed' | 'failed' = 'passed'
  try {
    const result = await check(attempt.failures)
    outcome = isFailure(result) ? 'failed' : 'passed'
    return { kind: 'checked', result }
  } finally {
    await attempt.end(outcome)
  }
}

/**
 * Begins the attempt. Waits for attempts that are being checked only when `spare` has no room, because a flood keeps
 * `shared` full.
 */
async function beginWithin({ rateLimiter, clock }: LimitingPorts, { own, shared, spare }: AttemptLimits) {
  const now = clock.now()
  const rules = [...own, ...shared]
  if (spare.length === 0) return rateLimiter.begin(rules, now)
  const attempt = await rateLimiter.begin(rules, now, false)
  if (attempt.kind === 'begun') return attempt
  const spared = await rateLimiter.begin([...own, ...spare], now, false)
  return spared.kind === 'begun' ? spared : rateLimiter.begin(rules, now)
}

type SignInAttempt = {
  /** The name from the user service's `canonicalUsername`, so that every spelling of one account shares a counter. */
  readonly canonicalUsername: string
  /** The address of the sign-in; `null` if the host cannot know it: then only the account is counted. */
  readonly address: string | null
}

/**
 * Limits the account, the account from this address, and the address; without an address, only the account. While the
 * account is at its limit, `spare` limits the account from this network, and the account with all such attempts.
 */
export function signInRateLimits({ canonicalUsername, address }: SignInAttempt): AttemptLimits {
  const about = { account: canonicalUsername }
  const spare = { ...about, isSpare: true } as const
  const account = { ...about, key: limitKey('sign-in:account', canonicalUsername), ...rateLimits.account }
  if (address === null) return { own: [], shared: [account], spare: [] }
  const host = hostNetwork(address)
  const fromHere = {
    ...about,
    key: limitKey('sign-in:account-address', canonicalUsername, host),
    ...rateLimits.accountAndAddress,
  }
  return {
    own: [fromHere, ...networkRules('sign-in:address', address, rateLimits.address)],
    shared: [account],
    spare: [
      {
        ...spare,
        key: limitKey('sign-in:account-spare-address', canonicalUsername, siteNetwork(address)),
        ...rateLimits.accountSpareFromNetwork,
      },
      { ...spare, key: limitKey('sign-in:account-spare', canonicalUsername), ...rateLimits.accountSpare },
    ],
  }
}

/**
 * Limits a client that forwards the passwords of its users. All attempts come from the client's address, so failures
 * from there may be those of other users: the limits of the address are `shared` and not `own`.
 */
export function passwordGrantRateLimits(attempt: SignInAttempt): AttemptLimits {
  const { own, shared, spare } = signInRateLimits(attempt)
  const isOfAccount = ({ account }: RateLimitRule) => account !== undefined
  return {
    own: own.filter(isOfAccount),
    shared: [...own.filter(rule => !isOfAccount(rule)), ...shared],
    spare,
  }
}

/** A client or scope that authenticates with a secret. `id`: as presented. */
type ClientAttempt = { readonly id: string; readonly address: string | null }

/** Limits the ID from this address; from any address, if the address is unknown. */
export function narrowestClientRateLimit({ id, address }: ClientAttempt): RateLimitRule {
  if (address === null) return { key: limitKey('client', id), ...rateLimits.client }
  return { key: limitKey('client-address', id, hostNetwork(address)), ...rateLimits.clientAndAddress }
}

/**
 * Limits the ID from this address and from all addresses, and the address with any ID, so that invented IDs cannot
 * bypass the limits (TK-07); without an address, only the ID. While the ID is at its limit from all addresses, `spare`
 * limits the ID from this network.
 */
export function clientRateLimits(attempt: ClientAttempt): AttemptLimits {
  const { id, address } = attempt
  const narrowest = narrowestClientRateLimit(attempt)
  if (address === null) return ownLimits([narrowest])
  const spare = {
    key: limitKey('client-spare-address', id, siteNetwork(address)),
    ...rateLimits.clientSpareFromNetwork,
  }
  return {
    own: [narrowest, ...networkRules('clients-address', address, rateLimits.clientAddress)],
    shared: [{ key: limitKey('client', id), ...rateLimits.client }],
    spare: [spare],
  }
}
