/**
 * Client authentication for the token, introspection and revocation endpoints (RFC 6749 2.3): reads the credentials, finds
 * the client, verifies the secret within the rate limits.
 */
import { type Checks, unrecorded } from '#lib/errors/checks.ts'
import { isOauthError, OauthError, tooManyRequests } from '#lib/errors/oauth-error.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import { type CheckCaller, callerAt } from '#lib/ports/check-caller.ts'
import { findRegistration, type StoredSecret } from '#lib/ports/clients.ts'
import type { Event } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { TokenEndpointAuthMethod } from '#lib/protocol/vocabulary.ts'
import { isTooLong, type Parameters } from '#lib/protocol/wire/parameters.ts'
import { checkWithinLimits, clientRateLimits, narrowestClientRateLimit } from '../limits/attempt-limits.ts'
import { type IdAndSecret, isBasic, readBasicCredentials } from './basic-credentials.ts'

/** A request that may contain a client's credentials, which are not verified yet. */
export type ClientRequest = {
  readonly parameters: Parameters
  /** The raw `Authorization` header. */
  readonly authorization: string | null
}

/** The authenticated caller: a client, or an API with the secret of its scope. */
export type Caller = ClientCaller | { readonly kind: 'resource'; readonly scope: Scope }

export type ClientCaller = { readonly kind: 'client'; readonly client: Client }

/**
 * Returns the client that sent the request. Throws the errors of `presentedCredentials` and `verifySecret`. An unknown or
 * disabled client, the wrong method and a wrong or missing secret all give the same `invalid_client`.
 */
export async function authenticateClient(
  ports: Ports,
  request: ClientRequest,
  context: RequestContext,
  checks: Checks = unrecorded,
): Promise<Client> {
  const credentials = presentedCredentials(request, checks)
  const { method } = credentials
  const candidates = await loadCandidates(credentials, id => findClientCaller(ports, id, method))
  const [{ owner }] = candidates
  if (method === 'none' && owner !== null) return owner.client
  return (await verifySecret(ports, { method, candidates }, context)).client
}

/**
 * The owner of an ID and all its stored secrets, expired ones included; or the reason, for the event, why no secret can
 * be correct.
 */
export type Registered<Owner> =
  | { readonly owner: Owner; readonly secrets: readonly StoredSecret[] }
  | { readonly owner: null; readonly secrets: readonly []; readonly mistake: Reason }

/**
 * Finds a client. A client that may not use this method is treated like one without secrets, and refused after the same
 * time.
 */
export async function findClientCaller(
  ports: Ports,
  id: string,
  method: TokenEndpointAuthMethod,
): Promise<Registered<ClientCaller>> {
  const unusable = (mistake: Reason) => ({ owner: null, secrets: [], mistake }) as const
  const registered = await findRegistration(ports, id)
  if (registered === null) return unusable('unknown_client')
  const { client, secrets } = registered
  if (!client.enabled) return unusable('client_disabled')
  if (allowsMethod(client, method)) return { owner: { kind: 'client', client }, secrets }
  return unusable(method === 'none' ? 'secret_missing' : 'auth_method_differs')
}

/**
 * Whether the client may use this method. A client without a registered method may use `client_secret_basic` and
 * `client_secret_post`.
 */
function allowsMethod(client: Client, method: TokenEndpointAuthMethod): boolean {
  if (client.tokenEndpointAuthMethod === null) return method !== 'none'
  return client.tokenEndpointAuthMethod === method
}

export type PresentedCredentials = {
  readonly method: TokenEndpointAuthMethod
  /** The possible readings of the credentials, in the order of their checks. */
  readonly pairs: readonly [IdAndSecret, ...IdAndSecret[]]
}

/**
 * Returns the client ID and the secret of a request (RFC 6749 2.3.1). Throws `invalid_request` for two authentication
 * methods or two client IDs, and `invalid_client` for no credentials and for credentials that are unreadable, too long,
 * with a NUL in the ID, or without a secret in the header.
 */
export function presentedCredentials(
  { parameters, authorization }: ClientRequest,
  checks: Checks = unrecorded,
): PresentedCredentials {
  const id = parameters.one('client_id')
  const secret = parameters.one('client_secret')
  if (authorization !== null && isBasic(authorization))
    return fromHeader(authorization, { id, secret, checks })
  checks.begin('client_authenticated')
  if (id === null) throw new OauthError('no_credentials')
  const pair = { id, secret: secret ?? '' }
  if (isUnusable(pair)) throw new OauthError('credentials_too_long')
  return { method: secret === null ? 'none' : 'client_secret_post', pairs: [pair] }
}

// RFC 6749 2.3: one method per request. A `client_id` that repeats the header's is not a second method
function fromHeader(
  authorization: string,
  body: { readonly id: string | null; readonly secret: string | null; readonly checks: Checks },
): PresentedCredentials {
  if (body.secret !== null) throw new OauthError('two_methods')
  const [first, ...others] = readBasicCredentials(authorization).filter(pair => !isUnusable(pair))
  if (first !== undefined && body.id !== null && ![first, ...others].some(({ id }) => id === body.id))
    throw new OauthError('two_clients')
  body.checks.begin('client_authenticated')
  if (first === undefined) throw new OauthError('unreadable_header')
  if (first.secret === '') throw new OauthError('secret_empty')
  return { method: 'client_secret_basic', pairs: [first, ...others] }
}

/**
 * Whether the credentials cannot be correct. They are not looked up or hashed: long ones would take time, and PostgreSQL
 * refuses a NUL.
 */
function isUnusable({ id, secret }: IdAndSecret): boolean {
  return isTooLong('client_id', id) || isTooLong('client_secret', secret) || id.includes('\u0000')
}

/**
 * A presented secret, and the stored secrets that it may match. If there are none, the comparison takes the same time
 * and fails.
 */
type SecretCandidate<Owner> = Registered<Owner> & {
  /** The ID that was presented with the secret. */
  readonly name: string
  readonly presented: string
}

/** A candidate for each reading of the credentials, in the order of their checks. */
type Candidates<Owner> = readonly [SecretCandidate<Owner>, ...SecretCandidate<Owner>[]]

/** Loads all data about the possible callers, before a secret is checked. */
export function loadCandidates<Owner>(
  { pairs: [first, ...others] }: PresentedCredentials,
  find: (id: string) => Promise<Registered<Owner>>,
): Promise<Candidates<Owner>> {
  const load = ({ id, secret }: IdAndSecret): Promise<SecretCandidate<Owner>> =>
    find(id).then(registered => ({ ...registered, name: id, presented: secret }))
  return Promise.all([load(first), ...others.map(load)])
}

type LimitedCaller = { readonly id: string; readonly address: string | null }

/**
 * A verified caller. `secret`: the stored secret that matched; `null` if it has expired since the check or this process
 * no longer caches it.
 */
type Verified<Owner> = {
  readonly owner: Owner
  readonly name: string
  readonly secret: StoredSecret | null
}

type Attempt<Owner> = {
  readonly method: TokenEndpointAuthMethod
  readonly candidates: Candidates<Owner>
}

/**
 * Returns the owner of the secret. Throws `invalid_client` when it is wrong, `too_many_requests` after too many
 * failures, which are counted by the ID of the first candidate, and `temporarily_unavailable` when too many secrets are
 * being checked.
 */
export async function verifySecret<Owner extends Caller>(
  ports: Ports,
  attempt: Attempt<Owner>,
  context: RequestContext,
): Promise<Owner> {
  const { candidates } = attempt
  const id = candidates[0].name
  const limited = { id, address: context.address }
  try {
    await refuseBlocked(ports, limited)
    const known = verifiedWithoutHash(ports, candidates)
    const verified = known ?? (await hashUnderLimit(ports, candidates, limited))
    markSecretUsed(ports, verified)
    return verified.owner
  } catch (error) {
    if (isOauthError(error) && error.code === 'too_many_requests') {
      const event = { name: 'client_authentication_limited', outcome: 'failure', clientId: id } as const
      ports.events.record(event, context)
    }
    if (isOauthError(error) && error.code === 'invalid_client')
      ports.events.record(failureEvent(attempt, ports.clock.now()), context)
    throw error
  }
}

// The client does not receive the reason. TK-02: this function reads nothing from the database, because the time of a
// read after the hash would reveal which clients exist
function failureEvent({ method, candidates }: Attempt<Caller>, now: Date): Event {
  const tried = candidates.find(({ owner }) => owner !== null) ?? candidates[0]
  const reason = tried.owner === null ? tried.mistake : secretMistake(tried.secrets, now)
  const event = { name: 'client_authentication_failed', outcome: 'failure', reason } as const
  if (tried.owner?.kind === 'resource') return { ...event, details: { method, resource: tried.name } }
  return { ...event, clientId: tried.name, details: { method } }
}

function secretMistake(secrets: readonly StoredSecret[], now: Date): Reason {
  if (secrets.length === 0) return 'secrets_absent'
  const isOver = secrets.every(({ expiresAt }) => expiresAt !== null && expiresAt <= now)
  return isOver ? 'secrets_expired' : 'secret_wrong'
}

// AU-09: a request whose secret is known without a hash also waits for the attempts that are being checked. Only the
// limit of this client ID at this address can refuse such a request: callers at other addresses must not be able to
// block a working client
async function refuseBlocked(ports: Ports, limited: LimitedCaller): Promise<void> {
  const rule = narrowestClientRateLimit(limited)
  const seconds = await ports.rateLimiter.blockedSeconds([rule], ports.clock.now())
  if (seconds > 0) throw tooManyRequests('client_rate_limited', seconds)
}

function verifiedWithoutHash<Owner>(
  ports: Ports,
  candidates: readonly SecretCandidate<Owner>[],
): Verified<Owner> | null {
  const now = ports.clock.now()
  for (const { name, presented, secrets, owner } of candidates) {
    const secret = owner === null ? null : ports.secrets.findWithoutHash(presented, secrets, now)
    if (owner !== null && secret !== null) return { owner, name, secret }
  }
  return null
}

/**
 * Concurrent requests with the same secret share one hash and one attempt, for example those of a busy client after
 * this server has restarted.
 */
async function hashUnderLimit<Owner>(
  ports: Ports,
  candidates: readonly SecretCandidate<Owner>[],
  limited: LimitedCaller,
): Promise<Verified<Owner>> {
  const index = await ports.secrets.sharing(attemptKey(limited, candidates), async () => {
    const attempt = await checkWithinLimits(ports, clientRateLimits(limited), {
      check: () => findMatching(ports, candidates, callerAt(limited.address)),
      isFailure: matching => matching === null,
    })
    if (attempt.kind === 'limited') throw tooManyRequests('client_rate_limited', attempt.retryAfterSeconds)
    return attempt.result
  })
  const candidate = index === null ? undefined : candidates[index]
  if (!candidate?.owner) throw new OauthError('wrong_credentials')
  const { owner, name, presented, secrets } = candidate
  return { owner, name, secret: ports.secrets.findWithoutHash(presented, secrets, ports.clock.now()) }
}

// The key contains everything that the result depends on: the ID and the address, the presented secrets, the stored
// ones, and whether they have an owner
function attemptKey(limited: LimitedCaller, candidates: readonly SecretCandidate<unknown>[]): string {
  const tried = candidates.map(({ presented, secrets, owner }) => [presented, secrets, owner !== null])
  return JSON.stringify([narrowestClientRateLimit(limited).key, tried])
}

/** Returns the index of the first candidate whose secret is correct; `null` when there is none. */
async function findMatching(
  ports: Ports,
  candidates: readonly SecretCandidate<unknown>[],
  caller: CheckCaller,
): Promise<number | null> {
  for (const [index, { presented, secrets, owner }] of candidates.entries()) {
    const isRight = await ports.secrets.verify(presented, secrets, ports.clock.now(), caller)
    if (isRight && owner !== null) return index
  }
  return null
}

function markSecretUsed(ports: Ports, { name, secret }: Verified<unknown>): void {
  if (secret !== null) ports.usage.secret({ owner: name, id: secret.id }, ports.clock.now())
}
