/**
 * Verifies the signature of an ID token with the provider's keys, and fetches them again if the token's key is unknown.
 */
import * as oauth from 'oauth4webapi'
import { providerKeyLookups as limits } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { RequestOptions } from './provider-requests.ts'

type Keys = {
  /** The cache that the library fills. */
  cache: oauth.JWKSCacheInput
  /** The look-ups of unknown keys since `since`, by `kid`. */
  readonly lookups: Map<string, Promise<void>>
  readonly since: number
}

type Signed = {
  readonly server: oauth.AuthorizationServer
  readonly options: RequestOptions
  /** Whether a published key may sign this token, in addition to what the library checks. */
  readonly allowsKey: AllowsKey
}

export type AllowsKey = (key: { readonly kid?: string; readonly issuer?: unknown }) => boolean

export type VerifySignature = (signed: Signed, response: Response) => Promise<void>

/**
 * Creates the check, which throws the library's error for a signature that cannot be verified. Keys are cached for five
 * minutes. After a rotation, a provider signs with a key that is not among them: each unknown `kid` causes one more
 * fetch in a minute, up to a limit.
 */
export function createSignatureCheck(clock: Clock): VerifySignature {
  const known = new WeakMap<oauth.AuthorizationServer, Keys>()
  return async (signed, response) => {
    const keys = keysOf(known, signed.server, clock.now().getTime())
    const fetchedAt = keys.cache.uat
    try {
      await verify(signed, response, keys)
    } catch (error) {
      const kid = unknownKid(error)
      // If the keys were fetched just now, another fetch would return the same keys
      if (kid === null || keys.cache.uat !== fetchedAt || fetchedAt === undefined) throw error
      await lookUp(signed, response, { keys, kid, error })
    }
  }
}

function keysOf(
  known: WeakMap<oauth.AuthorizationServer, Keys>,
  server: oauth.AuthorizationServer,
  now: number,
): Keys {
  const found = known.get(server)
  if (found !== undefined && now - found.since < limits.seconds * 1000) return found
  const keys = { cache: found?.cache ?? {}, lookups: new Map(), since: now }
  known.set(server, keys)
  return keys
}

type Lookup = { readonly keys: Keys; readonly kid: string; readonly error: unknown }

/**
 * Fetches the keys again and verifies. Callers with the same `kid` share one fetch. Throws `error` beyond the limit.
 */
async function lookUp(signed: Signed, response: Response, { keys, kid, error }: Lookup): Promise<void> {
  const underWay = keys.lookups.get(kid)
  if (underWay !== undefined) {
    await underWay.catch(() => undefined)
    return verify(signed, response, keys)
  }
  if (keys.lookups.size >= limits.most) throw error
  const verified = verifyWithNewKeys(signed, response, keys)
  keys.lookups.set(kid, verified)
  return verified
}

async function verifyWithNewKeys(signed: Signed, response: Response, keys: Keys): Promise<void> {
  const fetched: Pick<Keys, 'cache'> = { cache: {} }
  try {
    await verify(signed, response, fetched)
  } finally {
    if ('uat' in fetched.cache) keys.cache = fetched.cache
  }
}

/**
 * Verifies a signature. NOTE: the library caches keys for each object that describes a server, so it gets a copy, and
 * this cache.
 */
async function verify(
  { server, options, allowsKey }: Signed,
  response: Response,
  { cache }: Pick<Keys, 'cache'>,
): Promise<void> {
  await oauth.validateApplicationLevelSignature({ ...server }, response, {
    ...options,
    [oauth.jwksCache]: cache,
  })
  if ('jwks' in cache && !cache.jwks.keys.every(allowsKey)) throw new OauthError('OAUTH_KEY_SELECTION_FAILED')
}

/**
 * Returns the `kid` if no key of the provider matches, or an empty text for a signature without `kid`; `null` for other
 * errors.
 */
function unknownKid(error: unknown): string | null {
  if (!(error instanceof oauth.OperationProcessingError) || error.code !== oauth.KEY_SELECTION) return null
  const { cause } = error
  if (typeof cause !== 'object' || cause === null || !('candidates' in cause && 'header' in cause))
    return null
  if (Array.isArray(cause.candidates) && cause.candidates.length > 0) return null
  const { header } = cause
  const kid = typeof header === 'object' && header !== null && 'kid' in header ? header.kid : ''
  return typeof kid === 'string' ? kid : ''
}
