/** What the two validation endpoints answer. */
import { rateLimits } from '#lib/config/limits.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import type { Event } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RateLimitRule } from '#lib/ports/sessions.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { addressKey } from '#lib/protocol/text/addresses.ts'

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
