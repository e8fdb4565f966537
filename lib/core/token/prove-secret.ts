/** Checks a presented secret, with a limit on guessing and without telling why it failed. */
import { rateLimits } from '#lib/config/limits.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import { tooManyRequests } from '#lib/errors/too-many-requests.ts'
import type { StoredSecret } from '#lib/ports/clients.ts'
import { limitedAttempt } from '#lib/ports/limited-attempt.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RateLimitRule } from '#lib/ports/sessions.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { addressKey } from '#lib/protocol/text/addresses.ts'

/** A secret as presented, and what it may be right for. Without `secrets` it is wrong, at the same cost. */
export type SecretCandidate<Owner> = {
  /** Whose it is said to be. */
  readonly name: string
  readonly presented: string
  readonly secrets: readonly StoredSecret[]
  readonly owner: Owner | null
}

export type SecretProof<Owner> = {
  /** The name it was presented for: what guesses are counted by. */
  readonly id: string
  readonly candidates: readonly SecretCandidate<Owner>[]
}

/** Where guesses come from, and for whom. */
type Guesser = { readonly id: string; readonly address: string | null }
type GuessingRules = readonly [RateLimitRule, ...RateLimitRule[]]

/**
 * Returns the owner of the secret. Throws `invalid_client` when it is wrong, `too_many_requests` when too many attempts
 * failed.
 */
export async function proveSecret<Owner>(
  ports: Ports,
  { id, candidates }: SecretProof<Owner>,
  context: RequestContext,
): Promise<Owner> {
  try {
    return await prove(ports, candidates, { id, address: context.address })
  } catch (error) {
    if (isOauthError(error) && error.code === 'too_many_requests') recordLimited(ports, id, context)
    throw error
  }
}

async function prove<Owner>(
  ports: Ports,
  candidates: readonly SecretCandidate<Owner>[],
  guesser: Guesser,
): Promise<Owner> {
  await refuseBlocked(ports, narrowestRule(guesser))
  const known = markedOwner(ports, candidates)
  if (known !== null) return known
  const rules = guessingRules(guesser)
  // A busy client comes many times at once after a start: the same secret again is no further guess.
  const tried = JSON.stringify([rules[0].key, candidates.map(triedOf)])
  const right = await ports.secrets.sharing(tried, () => countedAttempt(ports, candidates, rules))
  const owner = right === null ? null : candidates[right]?.owner
  if (!owner) throw new OauthError('wrong_credentials')
  markedOwner(ports, candidates)
  return owner
}

/** Whose secret was verified before; it counts as used now. */
function markedOwner<Owner>(ports: Ports, candidates: readonly SecretCandidate<Owner>[]): Owner | null {
  const now = ports.clock.now()
  for (const { name, presented, secrets, owner } of candidates) {
    const known = owner === null ? null : ports.secrets.known(presented, secrets, now)
    if (known === null) continue
    ports.usage.secret({ owner: name, id: known.id }, now)
    return owner
  }
  return null
}

// All that the answer depends on: another list of secrets, or another owner, is another try.
function triedOf({ presented, secrets, owner }: SecretCandidate<unknown>) {
  return [presented, secrets, owner !== null]
}

async function countedAttempt(
  ports: Ports,
  candidates: readonly SecretCandidate<unknown>[],
  rules: GuessingRules,
): Promise<number | null> {
  const attempt = await limitedAttempt(ports, rules, {
    check: () => firstRight(ports, candidates),
    isFailure: right => right === null,
  })
  if (attempt.kind === 'limited') refuseLimited(attempt.retryAfterSeconds)
  return attempt.result
}

// The narrowest rule stands first. The widest names no client, so that made-up names do not get around it (TK-07).
function guessingRules(guesser: Guesser): GuessingRules {
  const { id, address } = guesser
  if (address === null) return [clientRule(id)]
  const widest = {
    key: JSON.stringify(['clients-address', addressKey(address)]),
    ...rateLimits.clientAddress,
  }
  return [narrowestRule(guesser), clientRule(id), widest]
}

function narrowestRule({ id, address }: Guesser): RateLimitRule {
  if (address === null) return clientRule(id)
  return { key: JSON.stringify(['client-address', id, addressKey(address)]), ...rateLimits.clientAndAddress }
}

function clientRule(id: string): RateLimitRule {
  return { key: JSON.stringify(['client', id]), ...rateLimits.client }
}

// Only the narrow rule stops even a right secret: a stranger elsewhere must not be able to lock a working client out.
async function refuseBlocked(ports: Ports, narrowest: RateLimitRule): Promise<void> {
  const seconds = await ports.rateLimiter.blockedSeconds([narrowest], ports.clock.now())
  if (seconds > 0) refuseLimited(seconds)
}

function recordLimited(ports: Ports, clientId: string, context: RequestContext): void {
  ports.events.record({ name: 'client_authentication_limited', outcome: 'failure', clientId }, context)
}

function refuseLimited(seconds: number): never {
  throw tooManyRequests('client_throttled', seconds)
}

async function firstRight(
  ports: Ports,
  candidates: readonly SecretCandidate<unknown>[],
): Promise<number | null> {
  for (const [index, { presented, secrets, owner }] of candidates.entries()) {
    const isRight = await ports.secrets.verify(presented, secrets, ports.clock.now())
    if (isRight && owner !== null) return index
  }
  return null
}
