/** Client authentication for the token, introspection and revocation endpoints (RFC 6749 2.3). */
import { rateLimits } from '#lib/config/limits.ts'
import { isOauthError, OauthError, tooManyRequests } from '#lib/errors/oauth-error.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import type { RegisteredClient, StoredSecret } from '#lib/ports/clients.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { checkWithinLimits, type RateLimitRule } from '#lib/ports/rate-limiter.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { addressKey } from '#lib/protocol/text/addresses.ts'
import type { TokenEndpointAuthMethod } from '#lib/protocol/vocabulary.ts'
import {
  type AuthenticatedRequest,
  type IdAndSecret,
  type PresentedCredentials,
  presentedCredentials,
} from './client-request.ts'

/**
 * Returns the client that the request proved to come from.
 * Throws `invalid_client`, alike for an unknown client, a disabled one, the wrong method and a wrong or missing secret;
 * `invalid_request` for two methods in one request; `too_many_requests` when it guessed too often.
 */
export async function authenticateClient(
  ports: Ports,
  request: AuthenticatedRequest,
  context: RequestContext,
): Promise<Client> {
  const presented = presentedCredentials(request)
  try {
    return await provenClient(ports, presented, context)
  } catch (error) {
    if (isOauthError(error) && error.code === 'invalid_client') await recordFailure(ports, presented, context)
    throw error
  }
}

/** Whether the client may authenticate this way. Without a registered method both kinds of secret are fine. */
export function allowsMethod(client: Client, method: TokenEndpointAuthMethod): boolean {
  if (client.tokenEndpointAuthMethod === null) return method !== 'none'
  return client.tokenEndpointAuthMethod === method
}

async function provenClient(
  ports: Ports,
  { method, pairs }: PresentedCredentials,
  context: RequestContext,
): Promise<Client> {
  const candidates = await Promise.all(pairs.map(pair => candidateFor(ports, pair, method)))
  const [first] = candidates
  if (method === 'none' && first?.owner) return first.owner
  return proveSecret(ports, { id: pairs[0].id, candidates }, context)
}

// A client that may not authenticate this way is treated like one without secrets: refused at the same cost.
async function candidateFor(
  ports: Ports,
  pair: IdAndSecret,
  method: TokenEndpointAuthMethod,
): Promise<SecretCandidate<Client>> {
  const registered = await findRegistered(ports, pair.id)
  if (registered === null || !allowsMethod(registered.client, method)) {
    return { name: pair.id, presented: pair.secret, secrets: [], owner: null }
  }
  return { name: pair.id, presented: pair.secret, secrets: registered.secrets, owner: registered.client }
}

/** Only admins can see whether the client, its method or its secret was wrong. */
async function recordFailure(
  ports: Ports,
  { method, pairs }: PresentedCredentials,
  context: RequestContext,
): Promise<void> {
  const clientId = pairs[0].id
  const reason = await mistakeOf(ports, clientId, method)
  const event = { name: 'client_authentication_failed', outcome: 'failure', clientId, reason } as const
  ports.events.record({ ...event, details: { method } }, context)
}

async function mistakeOf(ports: Ports, id: string, method: TokenEndpointAuthMethod): Promise<Reason> {
  const client = await findClient(ports, id)
  if (client === null) return 'unknown_client'
  if (!client.enabled) return 'client_disabled'
  if (!allowsMethod(client, method)) return method === 'none' ? 'secret_missing' : 'auth_method_differs'
  const secrets = (await findRegistered(ports, id))?.secrets ?? []
  const now = ports.clock.now()
  const isOver = secrets.every(({ expiresAt }) => expiresAt !== null && expiresAt <= now)
  return isOver ? 'secrets_expired' : 'secret_wrong'
}

/** A presented secret, and the secrets that it may match. Without any it is wrong, at the same cost. */
export type SecretCandidate<Owner> = {
  /** The ID that it was presented for. */
  readonly name: string
  readonly presented: string
  readonly secrets: readonly StoredSecret[]
  readonly owner: Owner | null
}

export type SecretProof<Owner> = {
  /** The ID by which failed attempts are counted. */
  readonly id: string
  readonly candidates: readonly SecretCandidate<Owner>[]
}

/** Which client is tried, from which address. */
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
  // After a start a busy client sends many requests at the same time: the same secret again is not another guess.
  const tried = JSON.stringify([rules[0].key, candidates.map(triedOf)])
  const right = await ports.secrets.sharing(tried, () => countedAttempt(ports, candidates, rules))
  const owner = right === null ? null : candidates[right]?.owner
  if (!owner) throw new OauthError('wrong_credentials')
  markedOwner(ports, candidates)
  return owner
}

/** The owner of a secret that was verified before; the secret counts as used now. */
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

// Everything that the answer depends on: another list of secrets, or another owner, is another attempt.
function triedOf({ presented, secrets, owner }: SecretCandidate<unknown>) {
  return [presented, secrets, owner !== null]
}

async function countedAttempt(
  ports: Ports,
  candidates: readonly SecretCandidate<unknown>[],
  rules: GuessingRules,
): Promise<number | null> {
  const attempt = await checkWithinLimits(ports, rules, {
    check: () => firstRight(ports, candidates),
    isFailure: right => right === null,
  })
  if (attempt.kind === 'limited') refuseLimited(attempt.retryAfterSeconds)
  return attempt.result
}

// The narrowest rule is first. The widest names no client, so that made-up names cannot bypass it (TK-07).
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

// Only the narrow rule refuses even a right secret: a caller elsewhere must not be able to block a working client.
async function refuseBlocked(ports: Ports, narrowest: RateLimitRule): Promise<void> {
  const seconds = await ports.rateLimiter.blockedSeconds([narrowest], ports.clock.now())
  if (seconds > 0) refuseLimited(seconds)
}

function recordLimited(ports: Ports, clientId: string, context: RequestContext): void {
  ports.events.record({ name: 'client_authentication_limited', outcome: 'failure', clientId }, context)
}

function refuseLimited(seconds: number): never {
  throw tooManyRequests('client_rate_limited', seconds)
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

/** Also a disabled one, so that a refusal can name the reason to admins. `null` when unknown. */
export async function findClient(ports: Ports, id: JsonValue): Promise<Client | null> {
  const clientId = clientIdSchema.safeParse(id)
  return clientId.success ? ((await ports.clients.find(clientId.data))?.client ?? null) : null
}

/** `null` when unknown or disabled, and for a value that cannot be a client ID. */
export async function findEnabledClient(ports: Ports, id: JsonValue): Promise<Client | null> {
  return (await findRegistered(ports, id))?.client ?? null
}

/** The same with its secrets. */
export async function findRegistered(ports: Ports, id: JsonValue): Promise<RegisteredClient | null> {
  const clientId = clientIdSchema.safeParse(id)
  const registered = clientId.success ? await ports.clients.find(clientId.data) : null
  return registered?.client.enabled ? registered : null
}
