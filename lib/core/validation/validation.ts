/** The two validation endpoints, for resources and clients that cannot check tokens themselves. */
import { rateLimits } from '#lib/config/limits.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import type { Event } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RateLimitRule } from '#lib/ports/rate-limiter.ts'
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import { subjectIdSchema } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { addressKey } from '#lib/protocol/text/addresses.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'
import {
  isTooLong,
  type Parameters,
  readValidationParameters,
  type ValidationParameters,
} from '#lib/protocol/wire/parameters.ts'
import { findEnabledClient } from '../token/client-authentication.ts'
import { readAccessToken } from './read-access-token.ts'

/** Returns only what already stands in the token. */
export async function validateAccessToken(
  ports: Ports,
  { parameters }: { readonly parameters: Parameters },
  context: RequestContext,
): Promise<ValidationOutcome> {
  return limitedByAddress(ports, context, () =>
    accessTokenOutcome(ports, readValidationParameters(parameters)),
  )
}

async function accessTokenOutcome(
  ports: Ports,
  { token, expectedScope }: ValidationParameters,
): Promise<ValidationOutcome> {
  if (token === null) return tokenMissing
  const read = await readAccessToken(ports, token)
  if (read === null) return invalidToken
  // JW-07: a whole word among the token's scopes
  if (expectedScope !== null && !read.scopes.includes(expectedScope)) return insufficientScope
  const claims = read.kind === 'jwt' ? renderAsText(read.claims) : renderTyped(read.claims)
  const { grant, client } = read
  const owner = grant === null ? {} : { subject: grant.subject, grantId: grant.id }
  return { kind: 'valid', claims, of: { clientId: client.clientId, ...owner } }
}

/** Valid only for the client it was issued for, which the caller must name (JW-06). */
export async function validateIdentityToken(
  ports: Ports,
  { parameters }: { readonly parameters: Parameters },
  context: RequestContext,
): Promise<ValidationOutcome> {
  return limitedByAddress(ports, context, () => idTokenOutcome(ports, readValidationParameters(parameters)))
}

async function idTokenOutcome(
  ports: Ports,
  { token, clientId }: ValidationParameters,
): Promise<ValidationOutcome> {
  if (token === null) return tokenMissing
  if (clientId === null) return clientIdMissing
  const claims = await readIdentityToken(ports, token, clientId)
  // The endpoint's specification lists `idp`; the token leaves it out where it is our own.
  return claims === null
    ? invalidToken
    : {
        kind: 'valid',
        claims: renderAsText({ idp: localProvider, ...claims }),
        of: { clientId, subject: String(claims.sub) },
      }
}

async function readIdentityToken(ports: Ports, token: string, clientId: string): Promise<Claims | null> {
  if (isTooLong('token', token)) return null
  const verified = await ports.signer.verify(token, 'JWT')
  if (verified === null || verified.claims.aud !== clientId) return null
  const [client, isPerson] = await Promise.all([
    findEnabledClient(ports, clientId),
    isActivePerson(ports, verified.claims),
  ])
  return client !== null && isPerson ? verified.claims : null
}

async function isActivePerson(ports: Ports, { sub }: Claims): Promise<boolean> {
  const subject = subjectIdSchema.safeParse(sub)
  return subject.success && (await ports.userService.isActive(subject.data))
}

export type ValidationOutcome =
  | {
      readonly kind: 'valid'
      readonly claims: Claims
      /** For the events: whose token it is. */
      readonly of: Pick<Event, 'clientId' | 'subject' | 'grantId'>
    }
  | InvalidToken

export type InvalidToken = {
  readonly kind: 'invalid'
  /** IdentityServer3's text, for the member `Message`. */
  readonly message: string
  readonly error: Extract<
    Reason,
    'invalid_token' | 'insufficient_scope' | 'invalid_request' | 'too_many_requests'
  >
  readonly status: 400 | 429
  readonly retryAfterSeconds: number | null
}

/** `invalid_token` whatever was wrong, so that strangers learn nothing from it (VE-05). */
export const invalidToken = refused('invalid_token', 'invalid_token')
export const insufficientScope = refused('insufficient_scope', 'insufficient_scope')
export const tokenMissing = refused('Token is missing', 'invalid_request')
export const clientIdMissing = refused('client_id is missing', 'invalid_request')

/**
 * Runs a validation for whoever asks. Nobody authenticates here, so refusals are counted by address, and one that
 * guesses too much gets no other answer to wrong tokens for a while. A right one is always told, since everybody's
 * come from the same API: tokens cannot be guessed, and strangers must not be able to switch it off with wrong ones.
 */
export async function limitedByAddress(
  ports: Ports,
  context: RequestContext,
  validate: () => Promise<ValidationOutcome>,
): Promise<ValidationOutcome> {
  const outcome = await validate()
  return recorded(ports, context, outcome.kind === 'valid' ? outcome : await counted(ports, context, outcome))
}

async function counted(
  ports: Ports,
  { address }: RequestContext,
  invalid: InvalidToken,
): Promise<InvalidToken> {
  const rules = addressRules(address)
  if (rules.length === 0) return invalid
  const permit = await ports.rateLimiter.consume(rules, ports.clock.now())
  return permit.kind === 'limited' ? tooMany(permit.retryAfterSeconds) : invalid
}

function refused(message: string, error: InvalidToken['error']): InvalidToken {
  return { kind: 'invalid', message, error, status: 400, retryAfterSeconds: null }
}

function tooMany(retryAfterSeconds: number): InvalidToken {
  const code = 'too_many_requests'
  return { kind: 'invalid', message: code, error: code, status: 429, retryAfterSeconds }
}

function addressRules(address: string | null): readonly RateLimitRule[] {
  if (address === null) return []
  const key = JSON.stringify(['validation:address', addressKey(address)])
  return [{ key, ...rateLimits.validationAddress }]
}

function recorded(ports: Ports, context: RequestContext, outcome: ValidationOutcome): ValidationOutcome {
  if (outcome.kind === 'valid')
    ports.events.record({ name: 'token_validated', outcome: 'success', ...outcome.of }, context)
  else ports.events.record({ name: 'token_rejected', outcome: 'failure', reason: outcome.error }, context)
  return outcome
}

/** Of a signed token: every value is text, as `"1413203781"`, `"true"`, or JSON for an object. */
export function renderAsText(claims: Claims): Claims {
  return render(claims, asText)
}

/** Of a reference token: numbers, booleans and objects keep their types. */
export function renderTyped(claims: Claims): Claims {
  return render(claims, value => value)
}

// One value is a scalar, several different ones are an array, and no value omits the claim.
function render(claims: Claims, show: (value: JsonValue) => JsonValue): Claims {
  return Object.fromEntries(
    Object.entries(claims).flatMap(([name, value]) => renderOne(name, valuesOf(value).map(show))),
  )
}

function renderOne(name: string, values: readonly JsonValue[]): ReadonlyArray<readonly [string, JsonValue]> {
  const different = withoutRepeats(values)
  const [first] = different
  if (first === undefined) return []
  return [[name, different.length === 1 ? first : different]]
}

function valuesOf(value: JsonValue): readonly JsonValue[] {
  const values: readonly JsonValue[] = isList(value) ? value : [value]
  return values.filter(item => item !== null)
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function withoutRepeats(values: readonly JsonValue[]): readonly JsonValue[] {
  if (values.length === 1) return values
  return [...new Map(values.map(value => [JSON.stringify(value), value])).values()]
}

function asText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
