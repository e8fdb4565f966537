/** Checks a presented secret, with a limit on guessing and without telling why it failed. */
import { throttling } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { StoredSecret } from '#lib/ports/clients.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { ThrottleRule } from '#lib/ports/sessions.ts'
import { addressKey } from '#lib/protocol/address-key.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'

/** A secret as presented, and what it may be right for. Without `secrets` it is wrong, at the same cost. */
export type SecretCandidate<Owner> = {
  readonly presented: string
  readonly secrets: readonly StoredSecret[]
  readonly owner: Owner | null
}

export type SecretProof<Owner> = {
  /** The name it was presented for: what guesses are counted by. */
  readonly id: string
  readonly candidates: readonly SecretCandidate<Owner>[]
}

/**
 * Returns whom the secret belongs to. Throws `invalid_client` when nobody, `too_many_requests` when tries ran out.
 * A try is counted before it is made and taken back when it was right, so parallel guesses cannot all pass (AU-09).
 */
export async function proveSecret<Owner>(
  ports: Ports,
  { id, candidates }: SecretProof<Owner>,
  context: RequestContext,
): Promise<Owner> {
  const rules = guessingRules(id, context.address)
  await refuseBlocked(ports, rules, id, context)
  const known = candidates.find(it => ports.secrets.isKnown(it.presented, it.secrets, ports.clock.now()))
  if (known?.owner) return known.owner
  await countTry(ports, rules, id, context)
  const owner = await firstRight(ports, candidates).catch(error => takeBack(ports, rules, error))
  if (owner === null) throw new OauthError('invalid_client', 'wrong_credentials')
  await ports.throttle.refund(rules, ports.clock.now())
  return owner
}

// The narrowest rule stands first. The widest names no client, so that made-up names do not get around it (TK-07).
function guessingRules(id: string, address: string | null): readonly [ThrottleRule, ...ThrottleRule[]] {
  const client = { key: JSON.stringify(['client', id]), ...throttling.client }
  if (address === null) return [client]
  const place = addressKey(address)
  return [
    { key: JSON.stringify(['client-address', id, place]), ...throttling.clientAndAddress },
    client,
    { key: JSON.stringify(['clients-address', place]), ...throttling.clientAddress },
  ]
}

// Only the narrow rule stops even a right secret: a stranger elsewhere must not be able to lock a working client out.
async function refuseBlocked(
  ports: Ports,
  [narrowest]: readonly [ThrottleRule, ...ThrottleRule[]],
  id: string,
  context: RequestContext,
): Promise<void> {
  const seconds = await ports.throttle.blockedSeconds([narrowest], ports.clock.now())
  if (seconds > 0) refuseLimited(ports, seconds, id, context)
}

async function countTry(
  ports: Ports,
  rules: readonly ThrottleRule[],
  id: string,
  context: RequestContext,
): Promise<void> {
  const counted = await ports.throttle.consume(rules, ports.clock.now())
  if (counted.kind === 'limited') refuseLimited(ports, counted.retryAfterSeconds, id, context)
}

function refuseLimited(ports: Ports, seconds: number, id: string, context: RequestContext): never {
  ports.events.record({ name: 'client_authentication_limited', outcome: 'failure', clientId: id }, context)
  throw new OauthError('too_many_requests', 'client_throttled', null, seconds)
}

// What never reached the secret was no try.
async function takeBack(ports: Ports, rules: readonly ThrottleRule[], error: unknown): Promise<never> {
  await ports.throttle.refund(rules, ports.clock.now())
  throw error
}

async function firstRight<Owner>(
  ports: Ports,
  candidates: readonly SecretCandidate<Owner>[],
): Promise<Owner | null> {
  for (const { presented, secrets, owner } of candidates) {
    const isRight = await ports.secrets.verify(presented, secrets, ports.clock.now())
    if (isRight && owner !== null) return owner
  }
  return null
}
