/**
 * The authorization endpoint: verify, validate, gather, decide, act (OpenID Connect Core 3.1.2).
 *
 * | step | file | results |
 * |---|---|---|
 * | resolve and check the parameters | `check-request.ts`, with `response-target.ts` and `validate.ts` | checked, refuse, error_page |
 * | gather facts and decide | here, `decide.ts` | issue, interact, forward, refuse |
 * | these two together: `Evaluation` | here | decided, refuse, error_page |
 * | act: `AuthorizeOutcome` | here, `issue.ts`, `pending.ts` | respond, interact, forward, error_page |
 *
 * `checks` records the name and the time of each check for the request trace, and decides nothing.
 */
import { authorizeChecks, type CheckRecorder, recordChecks } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Event } from '#lib/ports/events.ts'
import type { Consent } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { FoundSession, Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, Digest, PendingHandle, ProviderScheme } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { flowOf, type RequestContext } from '#lib/protocol/request-context.ts'
import {
  ignoredNames,
  isReadByAuthorize,
  type Parameters,
  readAuthorizeParameters,
} from '#lib/protocol/wire/parameters.ts'
import { requireOpenRegistration } from '../sign-in/registration-policy.ts'
import {
  type Checked,
  checkRequest,
  type Refused,
  type RequestToCheck,
  refusedResponse,
  resolveRequest,
} from './check-request.ts'
import { type Decision, type DecisionContext, decide, type InteractionPage } from './decide.ts'
import { ignoresProvider, withIgnored } from './ignored.ts'
import { issueResponse } from './issue.ts'
import { loginHintDiffers } from './login-hint.ts'
import { type OpenedRequest, readHint, savePendingWithinLimit } from './pending.ts'
import { canBeRemembered } from './remember-consent.ts'
import { evidenceOf } from './required-level.ts'
import {
  type ClientResponse,
  type ErrorPage,
  errorPage,
  type ResponseTarget,
  refusalEvent,
  respondWithError,
} from './response-target.ts'
import { openProviders } from './sign-in-providers.ts'
import { callValidateAuthorizeRequestHook, type ValidAuthorizeRequest } from './validate.ts'

/** The outcome, which `lib/http/authorize.ts` turns into a response. */
export type AuthorizeOutcome =
  | ClientResponse
  /** The user must first act on a page of this server. */
  | { readonly kind: 'interact'; readonly at: InteractionPage; readonly pending: PendingHandle }
  /** The user is redirected to an identity provider without a page of this server. */
  | { readonly kind: 'forward'; readonly scheme: ProviderScheme; readonly pending: PendingHandle }
  | ErrorPage

/**
 * The user of the browser, with the rows that were read together with the session; a field that was not read is left out.
 */
export type SignedInUser = {
  readonly session: Session | null
  /** Set if the user service confirmed for this request that the user is active. */
  readonly isActive?: true
} & Partial<Pick<FoundSession, 'account' | 'consent'>>

export type AuthorizeInput = SignedInUser & {
  /** The parameters as sent, without faulty ones. */
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
  const parameters = await resolveRequest(ports, readAuthorizeParameters(sentParameters))
  const { address } = context
  const save: Save = target => savePendingWithinLimit(ports, { parameters, browser }, { target, address })
  const request = { parameters, fault, user, opened: null }
  const ignored = ignoredNames(sentParameters.names, isReadByAuthorize)
  return answerRequest(ports, request, { kind: 'new', save, ignored }, context)
}

/** Stores the request. Returns an error page when there are too many already. */
type Save = (target: ResponseTarget) => Promise<PendingHandle | ErrorPage>

/** The state of the request in the store. */
export type StoredAs =
  /** The request is not stored yet; `save` stores it if the user must act first. `ignored`: see `withIgnored`. */
  | { readonly kind: 'new'; readonly save: Save; readonly ignored: readonly string[] }
  | { readonly kind: 'stored'; readonly digest: Digest; readonly pending: PendingHandle; ignored?: never }

/** Evaluates a request, acts on the decision, and records the event. */
export async function answerRequest(
  ports: Ports,
  request: RequestToEvaluate,
  stored: StoredAs,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  const checks = recordChecks(authorizeChecks)
  const { outcome, event } = await withRetryOnRevocation(ports, request.user, async user =>
    act(ports, await evaluateRequest(ports, { ...request, user }, checks), stored),
  )
  const digest = pendingDigest(ports, outcome, stored)
  // All requests of one sign-in, from its first page on, have the same flow ID
  const flow = digest === null ? {} : { flow: flowOf(digest) }
  ports.events.record({ ...event, ...flow }, context)
  return outcome
}

function pendingDigest({ hashing }: Ports, outcome: AuthorizeOutcome, stored: StoredAs): Digest | null {
  if (stored.kind === 'stored') return stored.digest
  return 'pending' in outcome ? hashing.tokenDigest(outcome.pending) : null
}

export type RequestToEvaluate = RequestToCheck & {
  readonly user: SignedInUser
  /** The stored request; `null` for a new request. */
  readonly opened: OpenedRequest | null
}

/** The result of the checks and the decision, before any action. */
type Evaluation = Refused | Decided

type Decided = Omit<Checked, 'kind'> & {
  readonly kind: 'decided'
  readonly decision: Exclude<Decision, { kind: 'refuse' }>
  /** Whether `acr_values` names an identity provider that the client cannot use. */
  readonly isProviderIgnored: boolean
}

/** Checks and decides, for a new request and for a pending one. Changes nothing. */
export async function evaluateRequest(
  ports: Ports,
  { user, opened, ...sentRequest }: RequestToEvaluate,
  checks: CheckRecorder,
): Promise<Evaluation> {
  const checked = await checkRequest(ports, sentRequest, checks)
  if (checked.kind !== 'checked') return checked
  const { client, target, request } = checked
  try {
    if (opened === null) await requireOpenRegistration(ports, request, checks)
    const { session } = user
    const { redirectUri } = target
    await callValidateAuthorizeRequestHook(ports, { client, redirectUri, request, session }, checks)
    checks.begin('user_may_continue')
    const consentCanBeRemembered = canBeRemembered(client, target.redirectUri)
    const known = { request, client, user, opened, consentCanBeRemembered }
    const facts = await gatherDecisionContext(ports, known)
    const decision = decide(facts)
    if (decision.kind === 'refuse')
      throw new OauthError(decision.reason, {
        evidence: evidenceOf(decision.reason, sentRequest.parameters),
      })
    const isProviderIgnored = ignoresProvider(sentRequest.parameters.acr_values, facts)
    return { ...checked, kind: 'decided', decision, isProviderIgnored }
  } catch (error) {
    return refusedResponse(error, checked, checks)
  }
}

type Known = Pick<DecisionContext, 'client' | 'consentCanBeRemembered'> &
  Pick<RequestToEvaluate, 'user' | 'opened'> & { readonly request: ValidAuthorizeRequest }

/** Collects the facts for `decide`. */
async function gatherDecisionContext(
  ports: Ports,
  { request, client, opened, consentCanBeRemembered, user }: Known,
): Promise<DecisionContext> {
  const now = ports.clock.now()
  const session = await activeSession(ports, user)
  return {
    request,
    client,
    session,
    opened,
    hint: opened?.hint ?? (await readHint(ports, request.idTokenHint, client.clientId)),
    loginHintDiffers:
      session !== null && (await loginHintDiffers(ports, { ...request, ...user, client, session })),
    providers: openProviders(client, await ports.providers.all()),
    remembered: session && (await rememberedConsent(ports, { session, consent: user.consent }, client)),
    consentCanBeRemembered,
    hasPasskeys: ports.settings.relyingParty.kind === 'on',
    now,
  }
}

/**
 * Returns the session if its user is active, otherwise `null`. The user service is asked unless it has confirmed the
 * user for this request already; for example, it is asked for a session that was read again after a revocation.
 */
async function activeSession(
  { userService }: Ports,
  { session, account, isActive }: SignedInUser,
): Promise<Session | null> {
  if (isActive === true) return session
  return session !== null && (await userService.isActive(session.subject, account)) ? session : null
}

/** Returns the consent that was read with the session; otherwise reads it. */
export async function rememberedConsent(
  { consents, clock }: Ports,
  { session, consent }: { readonly session: Session; readonly consent: Consent | null | undefined },
  { clientId }: Client,
): Promise<Consent | null> {
  return consent === undefined ? consents.find(session.subject, clientId, clock.now()) : consent
}

type Answered = { readonly outcome: AuthorizeOutcome; readonly event: Event }

/** Acts on the decision. `revoked`: the session or consent of the decision was revoked before anything was written. */
async function act(ports: Ports, evaluation: Evaluation, stored: StoredAs): Promise<Answered | 'revoked'> {
  if (evaluation.kind === 'error_page') return shown(evaluation)
  const { clientId } = evaluation.target
  if (evaluation.kind === 'refuse') {
    const { target, error, checks } = evaluation
    if (!(await finish(ports, stored))) return finished
    const event = refusalEvent({ reason: error.reason, clientId, checks })
    return { outcome: respondWithError(ports, target, error), event }
  }
  const { decision } = evaluation
  if (decision.kind === 'issue') return answerGranted(ports, { ...evaluation, decision }, stored)
  const pending = stored.kind === 'new' ? await stored.save(evaluation.target) : stored.pending
  if (typeof pending !== 'string') return shown(pending)
  const resumed = stored.kind === 'stored'
  const details = { at: decision.kind === 'interact' ? decision.at : 'provider', resumed }
  const { reason } = decision
  const paused = { name: 'authorize_paused', outcome: 'success', clientId, reason, details } as const
  const event = withIgnored(paused, stored.ignored, evaluation.isProviderIgnored)
  if (decision.kind === 'forward')
    return { outcome: { kind: 'forward', scheme: decision.scheme, pending }, event }
  return { outcome: { kind: 'interact', at: decision.at, pending }, event }
}

/** Finishes a stored request. Returns false if it was answered already, because only one response may be sent, or has expired. */
async function finish({ pendingRequests, clock }: Ports, stored: StoredAs): Promise<boolean> {
  return stored.kind === 'new' || pendingRequests.finish(stored.digest, clock.now())
}

type DecidedToIssue = Decided & { readonly decision: Extract<Decision, { kind: 'issue' }> }

async function answerGranted(
  ports: Ports,
  { decision, ...evaluation }: DecidedToIssue,
  stored: StoredAs,
): Promise<Answered | 'revoked'> {
  // The pending request is finished in the transaction that writes the grant, before a token is made: if the session or
  // consent was revoked, the request stays pending
  const pendingDigest = stored.kind === 'new' ? null : stored.digest
  const basis = { consent: decision.consent, pendingDigest }
  const issued = await issueResponse(ports, { ...evaluation, ...decision, basis })
  if (typeof issued === 'string') return issued === 'finished' ? finished : issued
  const { outcome, event } = issued
  return { outcome, event: withIgnored(event, stored.ignored, evaluation.isProviderIgnored) }
}

/** Returns an error page with its event. */
const shown = (page: ErrorPage): Answered => ({ outcome: page, event: refusalEvent(page.error) })

const finished = shown(errorPage('request_finished'))

/**
 * Runs `attempt` again when it returns `revoked` (see `act`): first with the current session and, if that is revoked as
 * well, without a user. Without a user nothing is granted, so nothing can be revoked.
 */
async function withRetryOnRevocation(
  ports: Pick<Ports, 'sessions' | 'clock'>,
  user: SignedInUser,
  attempt: (user: SignedInUser) => Promise<Answered | 'revoked'>,
): Promise<Answered> {
  const first = await attempt(user)
  if (first !== 'revoked') return first
  const { session } = user
  const current = session && (await ports.sessions.find(session.digest, ports.clock.now()))
  const second = await attempt(current ?? signedOut)
  if (second !== 'revoked') return second
  const last = await attempt(signedOut)
  if (last === 'revoked') throw new Error('a grant without a session was revoked')
  return last
}

const signedOut: SignedInUser = { session: null }
