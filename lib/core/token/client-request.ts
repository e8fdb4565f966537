/** The request of a client at an endpoint where it authenticates: credentials, parameters, the answer of a grant type, refusals. */
import { catalog, type ErrorCode } from '#lib/errors/catalog.ts'
import { isErrorText, isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { Grant } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { TokenEndpointAuthMethod } from '#lib/protocol/vocabulary.ts'
import { isTooLong, type Parameters } from '#lib/protocol/wire/parameters.ts'

export type AuthenticatedRequest = {
  readonly parameters: Parameters
  /** The raw `Authorization` header. */
  readonly authorization: string | null
}

export type IdAndSecret = { readonly id: string; readonly secret: string }

export type PresentedCredentials = {
  readonly method: TokenEndpointAuthMethod
  /** The possible readings of the credentials, in the order in which they are tried. */
  readonly pairs: readonly [IdAndSecret, ...IdAndSecret[]]
}

/**
 * Which client a request claims to come from, and its proof (RFC 6749 2.3.1). Throws `invalid_request` for two
 * authentication methods, `invalid_client` for none and for credentials that cannot be read.
 */
export function presentedCredentials({
  parameters,
  authorization,
}: AuthenticatedRequest): PresentedCredentials {
  const id = parameters.one('client_id')
  const secret = parameters.one('client_secret')
  if (authorization !== null && isBasic(authorization)) return fromHeader(authorization, id, secret)
  if (id === null) throw new OauthError('no_credentials')
  const pair = { id, secret: secret ?? '' }
  if (isOversized(pair)) throw new OauthError('credentials_too_long')
  return { method: secret === null ? 'none' : 'client_secret_post', pairs: [pair] }
}

// RFC 6749 2.3: one method per request. A `client_id` that repeats the header's is not a second one.
function fromHeader(
  authorization: string,
  bodyId: string | null,
  bodySecret: string | null,
): PresentedCredentials {
  if (bodySecret !== null) throw new OauthError('two_methods')
  const [first, ...others] = readBasicCredentials(authorization).filter(pair => !isOversized(pair))
  if (first === undefined) throw new OauthError('unreadable_header')
  if (bodyId !== null && ![first, ...others].some(pair => pair.id === bodyId))
    throw new OauthError('two_clients')
  return { method: 'client_secret_basic', pairs: [first, ...others] }
}

/** Longer credentials cannot be right, and hashing them would cost time. */
function isOversized({ id, secret }: IdAndSecret): boolean {
  return isTooLong('client_id', id) || isTooLong('client_secret', secret)
}

/** Whether the header uses the scheme Basic, however malformed (RFC 7617). */
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
  try {
    return [{ id: formDecode(plain.id), secret: formDecode(plain.secret) }, plain]
  } catch {
    return [plain]
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

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

function formDecode(value: string): string {
  return decodeURIComponent(value.replaceAll('+', ' '))
}

type RequiredParameter =
  | 'grant_type'
  | 'token'
  | 'code'
  | 'redirect_uri'
  | 'refresh_token'
  | 'username'
  | 'password'

/** The value of a required parameter; throws `invalid_request` when it is missing. */
export function requiredParameter(parameters: Parameters, name: RequiredParameter): string {
  const value = parameters.one(name)
  if (value === null) throw new OauthError(`${name}_missing`)
  return value
}

export type TokenResponse = Readonly<Record<string, JsonValue>>

export type TokenOutcome = { readonly kind: 'issued'; readonly response: TokenResponse } | RefusedOutcome

export type RefusedOutcome = { readonly kind: 'refused'; readonly refusal: TokenError }

export type TokenError = {
  readonly code: ErrorCode
  /** For the developer of the client; contains nothing that was sent. */
  readonly description: string
  readonly retryAfterSeconds: number | null
}

/** The error as the client receives it (RFC 6749 5.2). */
export function toTokenError(error: OauthError): TokenError {
  return {
    code: error.code,
    description: error.description ?? catalog[error.code].description,
    retryAfterSeconds: error.retryAfterSeconds,
  }
}

/** What a grant type receives. */
export type GrantRequest = {
  /** Authenticated, and allowed to use this grant type. */
  readonly client: Client
  readonly parameters: Parameters
}

/** The response to the client, and the grant on which it was issued; `null` when the client acts for itself. */
export type GrantAnswer = { readonly response: TokenResponse; readonly grant: Grant | null }

export type GrantType = {
  /** All others have no effect, except those of client authentication. `null`: not known, as of an extension. */
  readonly parameters: readonly string[] | null
  /** Throws `OauthError` for every refusal. */
  readonly answer: (ports: Ports, request: GrantRequest, context: RequestContext) => Promise<GrantAnswer>
}

const longestDescription = 200

/** The text of an extension if it may be sent, else `null`: then the sentence of the error code is sent. */
export function deliverableDescription(text: string | null): string | null {
  return text !== null && text !== '' && text.length <= longestDescription && isErrorText(text) ? text : null
}

/** Runs the introspection or revocation endpoint: a refusal becomes an event and an outcome. */
export async function withRefusals<Answered>(
  ports: Ports,
  endpoint: 'introspection' | 'revocation',
  context: RequestContext,
  run: () => Promise<Answered>,
): Promise<Answered | RefusedOutcome> {
  try {
    return await run()
  } catch (error) {
    if (!isOauthError(error)) throw error
    const event = { name: 'request_refused', outcome: 'failure', reason: error.reason } as const
    ports.events.record({ ...event, details: { endpoint } }, context)
    return { kind: 'refused', refusal: toTokenError(error) }
  }
}
