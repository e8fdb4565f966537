/** The two validation endpoints, for resources and clients that cannot check tokens themselves. */
import { identityServer3SkewSeconds, rateLimits } from '#lib/config/limits.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import type { Event } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import { networkRules } from '#lib/protocol/network-limits.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import { isTooLong, type Parameters } from '#lib/protocol/wire/parameters.ts'
import { findEnabledClient } from '../registrations/enabled-client.ts'
import { clientFormat } from '../token/access-token-format.ts'
import { readAccessToken } from './read-access-token.ts'

/** Validates an access token. Returns only claims that the token contains. */
export async function validateAccessToken(
  ports: Ports,
  { parameters }: { readonly parameters: Parameters },
  context: RequestContext,
): Promise<ValidationOutcome> {
  return limitedByAddress(ports, context, () => accessTokenOutcome(ports, parameters))
}

async function accessTokenOutcome(ports: Ports, parameters: Parameters): Promise<ValidationOutcome> {
  const token = parameters.one('token')
  if (token === null) return tokenMissing
  const read = await readAccessToken(ports, token)
  if (read === null) return invalidToken
  // JW-07: compared with whole words among the token's scopes
  const expectedScope = parameters.one('expectedScope')
  if (expectedScope !== null && !read.scopes.includes(expectedScope)) return insufficientScope
  // IdentityServer3: several scopes are a list, in either format
  const listed = { ...read.claims, scope: read.scopes }
  const claims = read.kind === 'jwt' ? renderAsText(listed) : renderTyped(listed)
  const { grant, client } = read
  const owner = grant === null ? {} : { subject: grant.subject, grantId: grant.id }
  return { kind: 'valid', claims, of: { clientId: client.clientId, ...owner } }
}

/** Validates an ID token for the client to which it was issued, which the caller must name (JW-06). */
export async function validateIdentityToken(
  ports: Ports,
  { parameters }: { readonly parameters: Parameters },
  context: RequestContext,
): Promise<ValidationOutcome> {
  return limitedByAddress(ports, context, () => idTokenOutcome(ports, parameters))
}

async function idTokenOutcome(ports: Ports, parameters: Parameters): Promise<ValidationOutcome> {
  const token = parameters.one('token')
  const clientId = parameters.one('client_id')
  if (token === null) return tokenMissing
  if (clientId === null) return clientIdMissing
  const claims = await readIdentityToken(ports, token, clientId)
  if (claims === null) return invalidToken
  // The endpoint's specification includes `idp`, which ID tokens of local accounts omit
  const rendered = renderAsText({ idp: localProvider, ...claims })
  return { kind: 'valid', claims: rendered, of: { clientId, subject: String(claims.sub) } }
}

async function readIdentityToken(ports: Ports, token: string, clientId: string): Promise<Claims | null> {
  if (isTooLong('token', token)) return null
  const client = await findEnabledClient(ports, clientId)
  if (client === null) return null
  const skewSeconds = clientFormat(ports, client) === 'identityserver3' ? identityServer3SkewSeconds : 0
  const verified = await ports.signer.verify(token, 'JWT', { skewSeconds })
  if (verified === null || verified.claims.aud !== clientId) return null
  return (await isActiveUser(ports, verified.claims)) ? verified.claims : null
}

async function isActiveUser(ports: Ports, { sub }: Claims): Promise<boolean> {
  const subject = subjectIdSchema.safeParse(sub)
  return subject.success && (await ports.userService.isActive(subject.data))
}

export type ValidationOutcome =
  | {
      readonly kind: 'valid'
      readonly claims: Claims
      /** The owner of the token, for the events. */
      readonly of: Pick<Event, 'clientId' | 'subject' | 'grantId'>
    }
  | InvalidToken

export type InvalidToken = {
  readonly kind: 'invalid'
  /** The text for the member `Message`, as in IdentityServer3. */
  readonly message: string
  readonly error: Extract<
    Reason,
    'invalid_token' | 'insufficient_scope' | 'invalid_request' | 'too_many_requests'
  >
  readonly status: 400 | 429
  readonly retryAfterSeconds: number | null
}

/** `invalid_token` for every fault of a token, so that a caller cannot learn the fault (VE-05). */
const invalidToken = invalid('invalid_token', 'invalid_token')
const insufficientScope = invalid('insufficient_scope', 'insufficient_scope')
const tokenMissing = invalid('Token is missing', 'invalid_request')
const clientIdMissing = invalid('client_id is missing', 'invalid_request')

function invalid(message: string, error: InvalidToken['error']): InvalidToken {
  return { kind: 'invalid', message, error, status: 400, retryAfterSeconds: null }
}

/**
 * Runs a validation and records its event. Callers do not authenticate, so refusals are counted by address, if it is
 * known, and an address with too many receives `too_many_requests` for each further refusal. A valid token is always
 * confirmed: tokens cannot be guessed, and many users share the address of one API, which an attacker must not be able
 * to block with wrong tokens.
 */
async function limitedByAddress(
  ports: Ports,
  context: RequestContext,
  validate: () => Promise<ValidationOutcome>,
): Promise<ValidationOutcome> {
  const validated = await validate()
  if (validated.kind === 'valid') {
    ports.events.record({ name: 'token_validated', outcome: 'success', ...validated.of }, context)
    return validated
  }
  const outcome = await countedByAddress(ports, context, validated)
  ports.events.record({ name: 'token_rejected', outcome: 'failure', reason: outcome.error }, context)
  return outcome
}

async function countedByAddress(
  ports: Ports,
  { address }: RequestContext,
  outcome: InvalidToken,
): Promise<InvalidToken> {
  if (address === null) return outcome
  const rules = networkRules('validation:address', address, rateLimits.validationAddress)
  const permit = await ports.rateLimiter.consume(rules, ports.clock.now())
  if (permit.kind === 'allowed') return outcome
  const { retryAfterSeconds } = permit
  return { ...invalid('too_many_requests', 'too_many_requests'), status: 429, retryAfterSeconds }
}

/** Renders the claims of a signed token: every value is text, such as `"1413203781"`, `"true"`, or JSON for an object. */
export function renderAsText(claims: Claims): Claims {
  return render(claims, asText)
}

/** Renders the claims of a reference token: numbers, booleans and objects keep their types. */
export function renderTyped(claims: Claims): Claims {
  return render(claims, value => value)
}

// One value is a scalar, several different values are an array, and a claim without a value is omitted
function render(claims: Claims, show: (value: JsonValue) => JsonValue): Claims {
  const shown = Object.entries(claims).map(
    ([name, value]) =>
      [name, Array.isArray(value) ? renderList(value, show) : renderOne(value, show)] as const,
  )
  return Object.fromEntries(shown.filter(hasValue))
}

function renderOne(value: JsonValue, show: (value: JsonValue) => JsonValue): JsonValue | undefined {
  return value === null ? undefined : show(value)
}

function renderList(
  values: readonly JsonValue[],
  show: (value: JsonValue) => JsonValue,
): JsonValue | undefined {
  const different = withoutRepeats(values.filter(item => item !== null).map(show))
  return different.length > 1 ? different : different[0]
}

function hasValue(entry: readonly [string, JsonValue | undefined]): entry is readonly [string, JsonValue] {
  return entry[1] !== undefined
}

function withoutRepeats(values: readonly JsonValue[]): readonly JsonValue[] {
  if (values.length === 1) return values
  return [...new Map(values.map(value => [JSON.stringify(value), value])).values()]
}

function asText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
