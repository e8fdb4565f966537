/** Pending requests: stored while a user acts, with sealed parameters, and bound to the browser that started them. */
import { lifetimeSeconds, rateLimits } from '#lib/config/limits.ts'
import { authorizeChecks, recordChecks, resultsOfFailure } from '#lib/errors/checks.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { PendingRequest } from '#lib/ports/sessions.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { SignInHints } from '#lib/ports/users.ts'
import {
  type BrowserHandle,
  type Digest,
  type PendingHandle,
  type ProviderScheme,
  withClientId,
} from '#lib/protocol/ids.ts'
import { networkRules } from '#lib/protocol/network-limits.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { siteNetwork } from '#lib/protocol/text/addresses.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { AuthorizeParameters } from '#lib/protocol/wire/parameters.ts'
import { checkRequest } from './check-request.ts'
import type { SubjectHint } from './decide.ts'
import { readIdTokenHint } from './id-token-hint.ts'
import type { ErrorPage, ResponseTarget } from './response-target.ts'
import { openProviders, requestedProvider } from './sign-in-providers.ts'
import type { ValidAuthorizeRequest } from './validate.ts'

/** A pending request in the form that pages and the sign-in need. */
export type PendingInteraction = {
  readonly request: ValidAuthorizeRequest
  readonly target: ResponseTarget
  readonly client: Client
  readonly loginHint: string | null
  readonly uiLocales: readonly string[]
  /** The enabled providers that the client allows. */
  readonly providers: readonly IdentityProvider[]
  readonly localLoginAllowed: boolean
  readonly hints: SignInHints
  /** The provider in `acr_values=idp:`, which may be the local accounts; `null` if none is named that the client allows. */
  readonly requestedProvider: ProviderScheme | null
  readonly opened: OpenedRequest
}

type RequestToSave = { readonly parameters: AuthorizeParameters; readonly browser: BrowserHandle }

/** Stores a request and returns its handle, which the browser sends with each page. */
export async function savePending(
  ports: Ports,
  { parameters, browser }: RequestToSave,
  address: string | null = null,
): Promise<PendingHandle> {
  const handle = withClientId(ports.random.handle('pending'), parameters.client_id ?? '')
  const digest = ports.hashing.tokenDigest(handle)
  const createdAt = ports.clock.now()
  await ports.pendingRequests.create({
    digest,
    browser: ports.hashing.digest(browser),
    sealedParameters: await sealRequest(ports, parameters, digest),
    createdAt,
    expiresAt: secondsAfter(createdAt, lifetimeSeconds.pendingRequest),
    finishedAt: null,
    chosenSubject: null,
    consent: null,
    network: address === null ? null : ports.hashing.digest(siteNetwork(address)),
  })
  return handle
}

type PendingCookies = { readonly pending: PendingHandle | null; readonly browser: BrowserHandle | null }

/**
 * Returns the stored request, even when expired or finished; `null` when it is unknown or belongs to another browser.
 */
export async function findPendingRequest(
  ports: Ports,
  { pending, browser }: PendingCookies,
): Promise<OpenedRequest | null> {
  if (pending === null || browser === null) return null
  const owner = ports.hashing.digest(browser)
  const find = (digest: Digest) => ports.pendingRequests.find(digest, owner)
  // The second key is for requests that were stored before keys began with the time
  const found =
    (await find(ports.hashing.tokenDigest(pending))) ?? (await find(ports.hashing.digest(pending)))
  return found && openRequest(ports, found)
}

/** Returns the stored request only while it is unfinished and unexpired. */
export async function findUnfinishedRequest(
  ports: Ports,
  carried: PendingCookies,
): Promise<OpenedRequest | null> {
  const found = await findPendingRequest(ports, carried)
  if (found === null || found.finishedAt !== null) return null
  return found.expiresAt > ports.clock.now() ? found : null
}

/**
 * Returns the data for a page; `null` when the request is unknown, expired, finished, from another browser, or no
 * longer valid.
 */
export async function findInteraction(
  ports: Ports,
  pending: PendingHandle | null,
  browser: BrowserHandle | null,
): Promise<PendingInteraction | null> {
  const found = await findUnfinishedRequest(ports, { pending, browser })
  return found && describe(ports, found)
}

/** Checks the request again. Returns `null` if a change of registrations made it invalid. */
async function describe(ports: Ports, opened: OpenedRequest): Promise<PendingInteraction | null> {
  const checked = await checkRequest(ports, opened, recordChecks(authorizeChecks))
  if (checked.kind !== 'checked') return null
  const { client, target, request } = checked
  const providers = openProviders(client, await ports.providers.all())
  return {
    request,
    target,
    client,
    loginHint: request.loginHint,
    uiLocales: target.uiLocales,
    providers,
    localLoginAllowed: client.enableLocalLogin,
    hints: { client, tenant: request.acrValues.tenant, acrValues: request.acrValues.others },
    requestedProvider: requestedProvider(request, client, providers),
    opened,
  }
}

/**
 * Stores a request like `savePending`, and counts it for its IP address, if that is known (LIM-06). When there are too
 * many, returns a page instead of an error response: the client could redirect the browser back immediately.
 */
export async function savePendingWithinLimit(
  ports: Ports,
  request: RequestToSave,
  { target, address }: { readonly target: ResponseTarget; readonly address: string | null },
): Promise<PendingHandle | ErrorPage> {
  if (address === null) return savePending(ports, request)
  const attempt = await ports.rateLimiter.begin(limitsOf(address), ports.clock.now())
  if (attempt.kind === 'limited') return tooManyPending(target, attempt.retryAfterSeconds)
  // NOTE: in parallel, so that both are sent to the database in one message
  const [handle] = await Promise.all([savePending(ports, request, address), attempt.end('failed')])
  return handle
}

function tooManyPending({ clientId, clientName }: ResponseTarget, retryAfterSeconds: number): ErrorPage {
  const checks = resultsOfFailure(authorizeChecks, 'rate_limit_not_exceeded')
  const reason = 'pending_request_limit'
  return { kind: 'error_page', error: { reason, clientId, clientName, retryAfterSeconds, checks } }
}

/**
 * Takes back the count of a request that ended with a grant: users who sign in are not counted, even if many share an
 * address.
 */
export async function refundPendingLimit(
  { rateLimiter, clock }: Ports,
  { address }: RequestContext,
): Promise<void> {
  if (address !== null) await rateLimiter.refund(limitsOf(address), clock.now())
}

function limitsOf(address: string): ReturnType<typeof networkRules> {
  return networkRules('pending:address', address, rateLimits.pendingRequestsPerAddress)
}

/** A stored request with its parameters in plain text. */
export type OpenedRequest = Omit<PendingRequest, 'sealedParameters'> & SealedPart

type SealedPart = {
  /**
   * The parameters as sent, which are validated again at each step; without `id_token_hint`, of which only the user is
   * stored.
   */
  readonly parameters: AuthorizeParameters
  readonly hint: SubjectHint
}

async function sealRequest(ports: Ports, raw: AuthorizeParameters, digest: Digest): Promise<string> {
  const { id_token_hint, ...parameters } = raw
  const hint = await readHint(ports, id_token_hint ?? null, raw.client_id ?? '')
  const kept: SealedPart = { parameters, hint }
  return ports.sealing.seal(JSON.stringify(kept), sealingContext(digest))
}

/**
 * Reads the user that `id_token_hint` names. A hint that was not issued to the client of the request is unreadable:
 * otherwise the client could learn with `prompt=none` whether another client's user is signed in here.
 */
export async function readHint(ports: Ports, sent: string | null, clientId: string): Promise<SubjectHint> {
  if (sent === null) return { kind: 'absent' }
  const hint = await readIdTokenHint(ports, sent)
  if (hint === null || !hint.audience.includes(clientId)) return { kind: 'unreadable' }
  return { kind: 'subject', subject: hint.subject }
}

/** Opens the sealed parameters. Throws if the stored value was altered or moved. */
function openRequest(ports: Ports, { sealedParameters, ...request }: PendingRequest): OpenedRequest {
  const kept: SealedPart = JSON.parse(ports.sealing.open(sealedParameters, sealingContext(request.digest)))
  return { ...request, ...kept }
}

function sealingContext(digest: Digest): string {
  return `pending_requests:parameters:${digest}`
}
