/** What the endpoints have in common at which clients authenticate: credentials, required parameters, refusals. */
import { catalog, type ErrorCode } from '#lib/errors/catalog.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { TokenEndpointAuthMethod } from '#lib/protocol/vocabulary.ts'
import { isTooLong, type Parameters } from '#lib/protocol/wire/parameters.ts'

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

export type IdAndSecret = { readonly id: string; readonly secret: string }

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Whether the header uses this scheme at all, however badly. */
export function isBasic(authorization: string): boolean {
  return /^basic(?: |$)/i.test(authorization)
}

/**
 * Reads the header's credentials. RFC 6749 has both parts form-urlencoded before base64, and many clients send them plain:
 * where the two readings differ both are returned, the encoded one first. Empty when the header cannot be read.
 */
export function readBasicCredentials(authorization: string): readonly IdAndSecret[] {
  const plain = splitAtColon(decodeStrictly(authorization.slice('Basic '.length).trim()))
  if (plain === null) return []
  if (!/[+%]/.test(plain.id + plain.secret)) return [plain]
  const decoded = formDecoded(plain)
  return decoded === null ? [plain] : [decoded, plain]
}

function decodeStrictly(base64: string): string | null {
  const bytes = Buffer.from(base64, 'base64')
  // RFC 4648 3.5 and 4: one value has one spelling, with padding, without whitespace and stray bits
  if (base64 === '' || bytes.toString('base64') !== base64) return null
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

// RFC 7617 2: the first colon ends the id, so a secret may contain colons
function splitAtColon(pair: string | null): IdAndSecret | null {
  const colon = pair?.indexOf(':') ?? -1
  if (pair === null || colon < 0) return null
  return { id: pair.slice(0, colon), secret: pair.slice(colon + 1) }
}

function formDecoded({ id, secret }: IdAndSecret): IdAndSecret | null {
  try {
    return { id: formDecode(id), secret: formDecode(secret) }
  } catch {
    return null
  }
}

function formDecode(value: string): string {
  return decodeURIComponent(value.replaceAll('+', ' '))
}

/** The value of a parameter that must be there; throws `invalid_request`. */
export function requiredParameter(parameters: Parameters, name: 'grant_type' | 'token'): string {
  const value = parameters.one(name)
  if (value === null) throw new OauthError(`${name}_missing`, { description: `${name} is missing.` })
  return value
}

/** No parameter is longer than its limit, or holds a NUL, which no database text can. */
export function checkParameterSizes(parameters: Parameters): void {
  for (const name of parameters.names) {
    for (const value of parameters.all(name)) {
      if (isTooLong(name, value))
        throw new OauthError('too_long', { description: sentence(name, 'is too long.') })
      if (value.includes('\0'))
        throw new OauthError('nul', { description: sentence(name, 'contains a NUL character.') })
    }
  }
}

// RFC 6749 5.2 has a small alphabet for descriptions, and the name is the sender's.
function sentence(name: string, rest: string): string {
  return /^[\w.-]{1,50}$/.test(name) ? `${name} ${rest}` : `A parameter ${rest}`
}

export type TokenResponse = Readonly<Record<string, JsonValue>>

export type TokenOutcome =
  | { readonly kind: 'issued'; readonly response: TokenResponse }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

export type Refusal = {
  readonly code: ErrorCode
  /** For the developer of the client; holds nothing that was sent. */
  readonly description: string
  readonly retryAfterSeconds: number | null
}

/** Turns what the core threw into what the client is told (RFC 6749 5.2). */
export function refusalOf(error: OauthError): Refusal {
  return {
    code: error.code,
    description: error.description ?? catalog[error.code].description,
    retryAfterSeconds: error.retryAfterSeconds,
  }
}

export function recordRefusal(
  ports: Ports,
  { error, endpoint }: { readonly error: OauthError; readonly endpoint: 'introspection' | 'revocation' },
  context: RequestContext,
): void {
  const { reason } = error
  ports.events.record({ name: 'request_refused', outcome: 'failure', reason, details: { endpoint } }, context)
}
