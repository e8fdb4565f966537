/**
 * Resolves and checks an authorization request: when it arrives, and again at each step of its sign-in, because registrations
 * may change in the meantime (OpenID Connect Core 3.1.2.2).
 */
import { catalog } from '#lib/errors/catalog.ts'
import type { CheckRecorder, CheckResult } from '#lib/errors/checks.ts'
import { isOauthError, type OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { parseStrictJson } from '#lib/protocol/text/json-text.ts'
import { type AuthorizeParameters, isTooLong } from '#lib/protocol/wire/parameters.ts'
import { registeredScopes } from '../scopes/resolve-scopes.ts'
import { type ErrorPage, type ResponseTarget, verifyRedirectUri } from './response-target.ts'
import { type ValidAuthorizeRequest, validate } from './validate.ts'

/**
 * Returns the parameters that apply to a new request: those that were sent, except that an unsigned request object
 * replaces those for the delivery of the response. A pending request is stored with these parameters and is not
 * resolved again.
 */
export async function resolveRequest(_ports: Ports, sent: AuthorizeParameters): Promise<AuthorizeParameters> {
  return withDeliveryOfRequestObject(sent)
}

export type RequestToCheck = {
  readonly parameters: AuthorizeParameters
  /** The fault of a parameter that was left out of `parameters`; absent or `null` if none was left out. */
  readonly fault?: OauthError | null
}

export type Checked = {
  readonly kind: 'checked'
  readonly client: Client
  readonly target: ResponseTarget
  readonly request: ValidAuthorizeRequest
}

/** A refusal: a page if the client or the redirect URI is not verified, otherwise an error response to the client. */
export type Refused = ErrorPage | RefusedResponse

export type RefusedResponse = {
  readonly kind: 'refuse'
  readonly client: Client
  readonly target: ResponseTarget
  readonly error: OauthError
  readonly checks: readonly CheckResult[]
}

/** Verifies client and redirect URI, then validates the parameters. */
export async function checkRequest(
  ports: Ports,
  { parameters, fault = null }: RequestToCheck,
  checks: CheckRecorder,
): Promise<Refused | Checked> {
  const verified = await verifyRedirectUri(ports, parameters, checks)
  if (verified.kind === 'unverified') return { kind: 'error_page', error: verified.error }
  const { client, target } = verified
  try {
    const scopes = await registeredScopes(ports)
    const request = validate({ raw: parameters, client, scopes, fault }, checks)
    return { kind: 'checked', client, target, request }
  } catch (error) {
    return refusedResponse(error, { client, target }, checks)
  }
}

/**
 * Makes the error response. Rethrows a failure of this server: it is not sent to the client, so that the user can reload
 * the page.
 */
export function refusedResponse(
  error: unknown,
  { client, target }: Pick<Checked, 'client' | 'target'>,
  checks: CheckRecorder,
): RefusedResponse {
  if (!isOauthError(error) || catalog[error.code].status >= 500) throw error
  return { kind: 'refuse', client, target, error, checks: checks.failed(error.evidence) }
}

/** The parameters for the delivery of the response. */
const deliveryParameters = ['redirect_uri', 'response_mode', 'state'] as const

/**
 * Adds the parameters of an unsigned request object (`alg: none`) for the delivery of the response, which take
 * precedence (OpenID Connect Core 6.1). The request itself is refused: request objects are not supported. The values
 * are trusted as little as those of the query; they pass the same checks. An unreadable object changes nothing.
 */
function withDeliveryOfRequestObject(raw: AuthorizeParameters): AuthorizeParameters {
  const [header, payload, signature, ...rest] = raw.request?.split('.') ?? []
  if (header === undefined || payload === undefined || signature !== '' || rest.length > 0) return raw
  if (readObject(header)?.alg !== 'none') return raw
  const claims = readObject(payload) ?? {}
  const found = deliveryParameters.flatMap(name => {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined
    return typeof value === 'string' && isUsable(name, value) ? [[name, value] as const] : []
  })
  return { ...raw, ...Object.fromEntries(found) }
}

/** Whether a parameter satisfies the rules of a query: not empty, without NUL, valid Unicode, and not too long. */
function isUsable(name: string, value: string): boolean {
  return value !== '' && !isTooLong(name, value) && !value.includes('\0') && value.isWellFormed()
}

function readObject(encoded: string): Readonly<Record<string, unknown>> | null {
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) return null
  try {
    const parsed = parseStrictJson(Buffer.from(encoded, 'base64url').toString())
    const value = 'value' in parsed ? parsed.value : null
    return isRecord(value) ? value : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
