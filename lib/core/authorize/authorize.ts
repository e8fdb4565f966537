/**
 * The authorization endpoint: verify, validate, gather, decide, act (OpenID Connect Core 3.1.2).
 *
 * | step | file | results |
 * |---|---|---|
 * | verify client and redirect URI | `response-target.ts` | verified, unverified |
 * | validate the parameters | `validate.ts` | the valid request, or an `OauthError` |
 * | gather facts and decide | here, `decide.ts` | issue, interact, forward, refuse |
 * | these three together: `Evaluation` | here | decided, refuse, error_page |
 * | act: `AuthorizeOutcome` | here, `issue.ts`, `pending.ts` | respond, interact, forward, error_page |
 *
 * `checks` records the name and the time of each check for the request trace, and decides nothing.
 */
import { catalog } from '#lib/errors/catalog.ts'
import { authorizeChecks, type CheckResult, recordChecks, sent } from '#lib/errors/checks.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { Event } from '#lib/ports/events.ts'
import type { Consent } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { FoundSession, Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, Digest, PendingHandle, ProviderScheme } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { flowOf, type RequestContext } from '#lib/protocol/request-context.ts'
import {
  type AuthorizeParameters,
  type Parameters,
  readAuthorizeParameters,
} from '#lib/protocol/wire/parameters.ts'
import { registeredScopes } from '../scopes/resolve-scopes.ts'
import {
  canBeRemembered,
  type Decision,
  type DecisionContext,
  decide,
  type InteractionPage,
  openProviders,
} from './decide.ts'
import { issueResponse } from './issue.ts'
import { loginHintDiffers } from './login-hint.ts'
import { type OpenedRequest, readHint, savePendingWithinLimit } from './pending.ts'
import {
  type ClientResponse,
  type ErrorPage,
  errorPage,
  type ResponseTarget,
  refusalEvent,
  respondWithError,
  verifyRedirectUri,
  withDeliveryOfRequestObject,
} from './response-target.ts'
import { callValidateAuthorizeRequestHook, type ValidAuthorizeRequest, validate } from './validate.ts'

/** Switched over exhaustively in `lib/http/authorize.ts`. */
export type AuthorizeOutcome =
  | ClientResponse
  /** The user must act first, on a page of this server. */
  | { readonly kind: 'interact'; readonly at: InteractionPage; readonly pending: PendingHandle }
  /** The user is redirected to an identity provider without a page of this server. */
  | { readonly kind: 'forward'; readonly scheme: ProviderScheme; readonly pending: PendingHandle }
  | ErrorPage

/** The user of the browser, with what was read together with the session; what is left out was not read. */
export type SignedInUser = {
  readonly session: Session | null
} & Partial<Pick<FoundSession, 'account' | 'consent'>>

export type AuthorizeInput = SignedInUser & {
  /** The parameters as sent, without those that are at fault. */
  readonly parameters: Parameters
  /** The fault of the first parameter that was left out: repeated, oversized or badly encoded. */
  readonly fault?: OauthError | null
  readonly browser: BrowserHandle
}

/**
 * Answers a new authorization request. If the user must act first, the request is stored and found again by its pending
 * handle. An address with too many pending requests gets an error page.
 */
export async function authorize(
  ports: Ports,
  { fault = null, browser, parameters: sentParameters, ...user }: AuthorizeInput,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  const parameters = readAuthorizeParameters(sentParameters)
  const { address } = context
  const save: Save = target => savePendingWithinLimit(ports, { parameters, browser }, { target, address })
  const request = { parameters, fault, user, pending: null }
  return answerRequest(ports, request, { kind: 'new', save }, context)
}

/** Stores the request; a page when there are too many already. */
type Save = (target: ResponseTarget) => Promise<PendingHandle | ErrorPage>

/** How the request is stored. */
export type StoredAs =
  /** Not yet; `save` stores it if the user must act. */
  | { readonly kind: 'new'; readonly save: Save }
  | { readonly kind: 'pending'; readonly digest: Digest; readonly handle: PendingHandle }

/** Evaluates a request, acts on the decision, and records the event. */
export async function answerRequest(
  ports: Ports,
  request: RequestToEvaluate,
  stored: StoredAs,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  const { outcome, event } = await withRetryOnRevocation(ports, request.user, async user =>
    act(ports, await evaluateRequest(ports, { ...request, user }), stored),
  )
  const digest = pendingDigest(ports, outcome, stored)
  // From the first page on, all requests of one sign-in have the same flow ID
  const flow = digest === null ? {} : { flow: flowOf(digest) }
  ports.events.record({ ...event, ...flow }, context)
  return outcome
}

function pendingDigest({ hashing }: Ports, outcome: AuthorizeOutcome, stored: StoredAs): Digest | null {
  if (stored.kind === 'pending') return stored.digest
  return 'pending' in outcome ? hashing.tokenDigest(outcome.pending) : null
}

export type RequestToEvaluate = {
  readonly parameters: AuthorizeParameters
  readonly fault?: OauthError | null
  readonly user: SignedInUser
  /** `null` when the request has only just arrived. */
  readonly pending: OpenedRequest | null
}

/** The result of the checks and the decision, before anything is done. */
type Evaluation =
  | ErrorPage
  /** An error response to the client. */
  | {
      readonly kind: 'refuse'
      readonly target: ResponseTarget
      readonly error: OauthError
      readonly checks: readonly CheckResult[]
    }
  | Decided

type Decided = {
  readonly kind: 'decided'
  readonly target: ResponseTarget
  readonly client: Client
  readonly request: ValidAuthorizeRequest
  readonly decision: Exclude<Decision, { kind: 'refuse' }>
}

/** Verifies, validates and decides, for a new request and for a pending one. Changes nothing. */
export async function evaluateRequest(
  ports: Ports,
  { parameters, fault = null, user, pending }: RequestToEvaluate,
): Promise<Evaluation> {
  const raw = withDeliveryOfRequestObject(parameters)
  const checks = recordChecks(authorizeChecks)
  const verified = await verifyRedirectUri(ports, raw, checks)
  if (verified.kind === 'unverified') return { kind: 'error_page', error: verified.error }
  const { client, target } = verified
  try {
    const request = validate({ raw, client, scopes: await registeredScopes(ports), fault }, checks)
    const { session } = user
    const { redirectUri } = target
    await callValidateAuthorizeRequestHook(ports, { client, redirectUri, request, session }, checks)
    checks.begin('user_may_continue')
    const consentCanBeRemembered = canBeRemembered(client, target.redirectUri)
    const known = { request, client, user, pending, consentCanBeRemembered }
    const decision = decide(await gatherDecisionContext(ports, known))
    if (decision.kind === 'refuse') throw new OauthError(decision.reason, { evidence: sent(raw.prompt) })
    return { kind: 'decided', target, client, request, decision }
  } catch (error) {
    // An internal error is not sent to the client: the user may reload the page, and nothing is lost
    if (!isOauthError(error) || catalog[error.code].status >= 500) throw error
    return { kind: 'refuse', target, error, checks: checks.failed(error.evidence) }
  }
}

type Known = Pick<DecisionContext, 'client' | 'consentCanBeRemembered'> &
  Pick<RequestToEvaluate, 'user' | 'pending'> & { readonly request: ValidAuthorizeRequest }

/** The facts for `decide`. */
async function gatherDecisionContext(
  ports: Ports,
  { request, client, pending, consentCanBeRemembered, user }: Known,
): Promise<DecisionContext> {
  const now = ports.clock.now()
  const session = await activeSession(ports, user)
  return {
    request,
    client,
    session,
    pending,
    hint: pending?.hint ?? (await readHint(ports, request.idTokenHint, client.clientId)),
    loginHintDiffers:
      session !== null && (await loginHintDiffers(ports, { ...request, ...user, client, session })),
    providers: openProviders(client, await ports.providers.all()),
    remembered: session && (await rememberedConsent(ports, { session, consent: user.consent }, client)),
    consentCanBeRemembered,
    now,
  }
}

/** The session may come from a page, or from a retry, without this check. */
async function activeSession(
  { userService }: Ports,
  { session, account }: SignedInUser,
): Promise<Session | null> {
  return session !== null && (await userService.isActive(session.subject, account)) ? session : null
}

/** As it was read with the session; otherwise it is read. */
export async function rememberedConsent(
  { consents, clock }: Ports,
  { session, consent }: { readonly session: Session; readonly consent: Consent | null | undefined },
  { clientId }: Client,
): Promise<Consent | null> {
  return consent === undefined ? consents.find(session.subject, clientId, clock.now()) : consent
}

type Answered = { readonly outcome: AuthorizeOutcome; readonly event: Event }

/** `null`: the session or consent that the decision is based on was revoked before anything was written. */
async function act(ports: Ports, evaluation: Evaluation, stored: StoredAs): Promise<Answered | null> {
  if (evaluation.kind === 'error_page') return shown(evaluation)
  const { clientId } = evaluation.target
  if (evaluation.kind === 'refuse') {
    const { target, error, checks } = evaluation
    if (!(await finish(ports, stored))) return finished
    const event = refusalEvent({ reason: error.reason, clientId, checks })
    return { outcome: respondWithError(ports, target, error), event }
  }
  const { decision } = evaluation
  if (decision.kind === 'issue') return issue(ports, { ...evaluation, decision }, stored)
  const pending = stored.kind === 'new' ? await stored.save(evaluation.target) : stored.handle
  if (typeof pending !== 'string') return shown(pending)
  const resumed = stored.kind === 'pending'
  const details = { at: decision.kind === 'interact' ? decision.at : 'provider', resumed }
  const { reason } = decision
  const event = { name: 'authorize_paused', outcome: 'success', clientId, reason, details } as const
  if (decision.kind === 'forward')
    return { outcome: { kind: 'forward', scheme: decision.scheme, pending }, event }
  return { outcome: { kind: 'interact', at: decision.at, pending }, event }
}

/** Whether this answer is the first one: of two tabs only one may answer the client. */
async function finish({ pendingRequests, clock }: Ports, stored: StoredAs): Promise<boolean> {
  return stored.kind === 'new' || pendingRequests.finish(stored.digest, clock.now())
}

type Issuing = Decided & { readonly decision: Extract<Decision, { kind: 'issue' }> }

async function issue(
  ports: Ports,
  { decision, ...evaluation }: Issuing,
  stored: StoredAs,
): Promise<Answered | null> {
  // Finished together with the grant and before a token is made: after a revocation the request is still pending
  const basis = { consent: decision.consent, pending: stored.kind === 'new' ? null : stored.digest }
  const issued = await issueResponse(ports, { ...evaluation, ...decision, basis })
  if (issued === 'revoked') return null
  return issued === 'finished' ? finished : issued
}

/** An error page, recorded. */
const shown = (page: ErrorPage): Answered => ({ outcome: page, event: refusalEvent(page.error) })

const finished = shown(errorPage('request_finished'))

/**
 * Runs `attempt` again when it returns `null` (see `act`): with the session as it is now, and, should that be revoked as
 * well, as if no one were signed in. That grants nothing and so cannot be revoked.
 */
async function withRetryOnRevocation<Result>(
  ports: Pick<Ports, 'sessions' | 'clock'>,
  user: SignedInUser,
  attempt: (user: SignedInUser) => Promise<Result | null>,
): Promise<Result> {
  const first = await attempt(user)
  if (first !== null) return first
  const { session } = user
  const current = session && (await ports.sessions.find(session.digest, ports.clock.now()))
  const second = await attempt(current ?? signedOut)
  if (second !== null) return second
  const last = await attempt(signedOut)
  if (last === null) throw new Error('a grant without a session was revoked')
  return last
}

const signedOut: SignedInUser = { session: null }
