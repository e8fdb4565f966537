/** Which client a request says it comes from, and what it shows for it (RFC 6749 2.3.1). */
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { TokenEndpointAuthMethod } from '#lib/protocol/vocabulary.ts'
import { type IdAndSecret, isBasic, readBasicCredentials } from '#lib/protocol/wire/basic-credentials.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import { isTooLong } from '#lib/protocol/wire/parameters.ts'

export type AuthenticatedRequest = {
  readonly parameters: Parameters
  /** The raw `Authorization` header. */
  readonly authorization: string | null
}

export type PresentedCredentials = {
  readonly method: TokenEndpointAuthMethod
  /** The readings to try, in order; never empty. */
  readonly pairs: readonly [IdAndSecret, ...IdAndSecret[]]
}

/** Throws `invalid_request` for two ways at once, `invalid_client` for none and for what cannot be read. */
export function presentedCredentials({
  parameters,
  authorization,
}: AuthenticatedRequest): PresentedCredentials {
  const id = parameters.one('client_id')
  const secret = parameters.one('client_secret')
  if (authorization !== null && isBasic(authorization)) return fromHeader(authorization, id, secret)
  if (id === null) throw new OauthError('no_credentials')
  const pair = { id, secret: secret ?? '' }
  if (!isFitting(pair)) throw new OauthError('credentials_too_long')
  return { method: secret === null ? 'none' : 'client_secret_post', pairs: [pair] }
}

// RFC 6749 2.3: one method per request. A `client_id` that merely repeats the header's is none.
function fromHeader(
  authorization: string,
  bodyId: string | null,
  bodySecret: string | null,
): PresentedCredentials {
  if (bodySecret !== null) {
    throw new OauthError('two_methods')
  }
  const [first, ...others] = readBasicCredentials(authorization).filter(isFitting)
  if (first === undefined) throw new OauthError('unreadable_header')
  if (bodyId !== null && ![first, ...others].some(pair => pair.id === bodyId)) {
    throw new OauthError('two_clients')
  }
  return { method: 'client_secret_basic', pairs: [first, ...others] }
}

// Longer ones cannot be right, and hashing them would cost.
function isFitting({ id, secret }: IdAndSecret): boolean {
  return !isTooLong('client_id', id) && !isTooLong('client_secret', secret)
}
