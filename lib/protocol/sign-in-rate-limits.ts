/** Under which keys failed passwords are counted, at the sign-in page and at the token endpoint alike. */
import { rateLimits } from '#lib/config/limits.ts'
import { addressKey } from './text/addresses.ts'

/** Fits `RateLimitRule`; the store keeps only a digest of the key. */
export type SignInRateLimit = {
  readonly key: string
  readonly limit: number
  readonly windowSeconds: number
  readonly account?: string
}

export type SignInAttempt = {
  /** As the user service canonicalises it, so that every spelling of one account shares a counter. */
  readonly canonicalUsername: string
  /** `null` when the host cannot know it: then only the account counts. */
  readonly address: string | null
}

/** The account, the account from this address, and the address. One way in cannot be used to get around another's limit. */
export function signInRateLimits({ canonicalUsername, address }: SignInAttempt): readonly SignInRateLimit[] {
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

// As JSON, so that no name can be chosen to fall together with another's key.
function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}
