/**
 * Client authentication for the token, introspection and revocation endpoints (RFC 6749 2.3): reads the credentials, finds
 * the client, verifies the secret within the rate limits.
 */
import { isOauthError, OauthError, tooManyRequests } from '#lib/errors/oauth-error.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import { findEnabledRegistration, findRegistration, type StoredSecret } from '#lib/ports/clients.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { checkWithinLimits, clientRateLimits, type RateLimitRule } from '#lib/ports/rate-limiter.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { TokenEndpointAuthMethod } from '#lib/protocol/vocabulary.ts'
import { isTooLong, type Parameters } from '#lib/protocol/wire/parameters.ts'

/** A request that may carry a client's credentials; nothing of it is verified. */
export type ClientRequest = {
  readonly parameters: Parameters
  /** The raw `Authorization` header. */
  readonly authorization: string | null
}

/**
 * Returns the client that the request proved to come from.
 * Throws `invalid_client`, alike for an unknown client, a disabled one, the wrong method and a wrong or missing secret;
 * `invalid_request` for two methods in one request; `too_many_requests` when it guessed too often.
 */
export async function authenticateClient(
  ports: Ports,
  request: ClientRequest,
  context: RequestContext,
): Promise<Client> {
  const presented = presentedCredentials(request)
  try {
    return await verifyClient(ports, presented, context)
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

async function verifyClient(
  ports: Ports,
  { method, pairs }: PresentedCredentials,
  context: RequestContext,
): Promise<Client> {
  const candidates = await Promise.all(pairs.map(pair => candidateFor(ports, pair, method)))
  const [first] = candidates
  if (method === 'none' && first?.owner) return first.owner
  return verifySecret(ports, { id: pairs[0].id, candidates }, context)
}

// A client that may not authenticate this way is treated like one without secrets: refused at the same cost.
async function candidateFor(
  ports: Ports,
  { id, secret }: IdAndSecret,
  method: TokenEndpointAuthMethod,
): Promise<SecretCandidate<Client>> {
  const registered = await findEnabledRegistration(ports, id)
  const isAllowed = registered !== null && allowsMethod(registered.client, method)
  if (!isAllowed) return { name: id, presented: secret, secrets: [], owner: null }
  return { name: id, presented: secret, secrets: registered.secrets, owner: registered.client }
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
  const registered = await findRegistration(ports, id)
  if (registered === null) return 'unknown_client'
  const { client, secrets } = registered
  if (!client.enabled) return 'client_disabled'
  if (!allowsMethod(client, method)) return method === 'none' ? 'secret_missing' : 'auth_method_differs'
  if (secrets.length === 0) return 'secrets_absent'
  const now = ports.clock.now()
  const isOver = secrets.every(({ expiresAt }) => expiresAt !== null && expiresAt <= now)
  return isOver ? 'secrets_expired' : 'secret_wrong'
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
export function presentedCredentials({ parameters, authorization }: ClientRequest): PresentedCredentials {
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

/** A presented secret, and the secrets that it may match. Without any it is wrong, at the same cost. */
export type SecretCandidate<Owner> = {
  /** The ID that it was presented for. */
  readonly name: string
  readonly presented: string
  readonly secrets: readonly StoredSecret[]
  readonly owner: Owner | null
}

export type PresentedSecret<Owner> = {
  /** The ID by which failed attempts are counted. */
  readonly id: string
  /** The possible readings of the credentials, in the order in which they are tried. */
  readonly candidates: readonly SecretCandidate<Owner>[]
}

type AttemptRules = ReturnType<typeof clientRateLimits>

/** `secret`: the stored one that matched; `null` when it is no longer stored. */
type Verified<Owner> = {
  readonly owner: Owner
  readonly name: string
  readonly secret: StoredSecret | null
}

/**
 * Returns the owner of the secret. Throws `invalid_client` when it is wrong, `too_many_requests` when too many attempts
 * failed.
 */
export async function verifySecret<Owner>(
  ports: Ports,
  { id, candidates }: PresentedSecret<Owner>,
  context: RequestContext,
): Promise<Owner> {
  const rules = clientRateLimits({ id, address: context.address })
  try {
    await refuseBlocked(ports, rules[0])
    const verified = verifiedBefore(ports, candidates) ?? (await hashUnderLimit(ports, candidates, rules))
    markSecretUsed(ports, verified)
    return verified.owner
  } catch (error) {
    if (isOauthError(error) && error.code === 'too_many_requests') {
      const event = { name: 'client_authentication_limited', outcome: 'failure', clientId: id } as const
      ports.events.record(event, context)
    }
    throw error
  }
}

// Only the narrow rule refuses even a right secret: a caller elsewhere must not be able to block a working client.
async function refuseBlocked(ports: Ports, narrowest: RateLimitRule): Promise<void> {
  const seconds = await ports.rateLimiter.blockedSeconds([narrowest], ports.clock.now())
  if (seconds > 0) throw tooManyRequests('client_rate_limited', seconds)
}

/** A secret that this process has hashed before needs no second hash. */
function verifiedBefore<Owner>(
  ports: Ports,
  candidates: readonly SecretCandidate<Owner>[],
): Verified<Owner> | null {
  const now = ports.clock.now()
  for (const { name, presented, secrets, owner } of candidates) {
    const secret = owner === null ? null : ports.secrets.known(presented, secrets, now)
    if (owner !== null && secret !== null) return { owner, name, secret }
  }
  return null
}

/** Concurrent requests with the same secret share one hash and one attempt, as after a start of a busy client. */
async function hashUnderLimit<Owner>(
  ports: Ports,
  candidates: readonly SecretCandidate<Owner>[],
  rules: AttemptRules,
): Promise<Verified<Owner>> {
  const index = await ports.secrets.sharing(attemptKey(rules, candidates), async () => {
    const attempt = await checkWithinLimits(ports, rules, {
      check: () => findMatching(ports, candidates),
      isFailure: matching => matching === null,
    })
    if (attempt.kind === 'limited') throw tooManyRequests('client_rate_limited', attempt.retryAfterSeconds)
    return attempt.result
  })
  const candidate = index === null ? undefined : candidates[index]
  if (!candidate?.owner) throw new OauthError('wrong_credentials')
  const { owner, name, presented, secrets } = candidate
  return { owner, name, secret: ports.secrets.known(presented, secrets, ports.clock.now()) }
}

// Everything that the answer depends on: another list of secrets, or another owner, is another attempt.
function attemptKey([narrowest]: AttemptRules, candidates: readonly SecretCandidate<unknown>[]): string {
  const tried = candidates.map(({ presented, secrets, owner }) => [presented, secrets, owner !== null])
  return JSON.stringify([narrowest.key, tried])
}

/** The index of the first candidate whose secret is right; `null` when there is none. */
async function findMatching(
  ports: Ports,
  candidates: readonly SecretCandidate<unknown>[],
): Promise<number | null> {
  for (const [index, { presented, secrets, owner }] of candidates.entries()) {
    const isRight = await ports.secrets.verify(presented, secrets, ports.clock.now())
    if (isRight && owner !== null) return index
  }
  return null
}

function markSecretUsed(ports: Ports, { name, secret }: Verified<unknown>): void {
  if (secret !== null) ports.usage.secret({ owner: name, id: secret.id }, ports.clock.now())
}
