/** The authorization endpoint: prove, validate, gather, decide, act (OpenID Connect Core 3.1.2). */
import { catalog } from '#lib/errors/catalog.ts'
import { recordChecks, sent } from '#lib/errors/checks.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, Digest, PendingHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import {
  type AuthorizeParameters,
  type Parameters,
  readAuthorizeParameters,
} from '#lib/protocol/wire/parameters.ts'
import { canBeRemembered, type DecisionContext, decide, openProviders } from './decide.ts'
import { loginHintDiffers, readHint } from './hints.ts'
import { issueResponse } from './issue.ts'
import {
  type AuthorizeOutcome,
  type Evaluation,
  recordOutcome,
  respondWithError,
  showFinished,
} from './outcome.ts'
import { countPending, type OpenedRequest, savePending } from './pending.ts'
import { proveReturnAddress, withDeliveryOfRequestObject } from './return-address.ts'
import { type ValidAuthorizeRequest, validate } from './validate.ts'

export type AuthorizeInput = {
  /** The parameters as sent, without those that are at fault. */
  readonly parameters: Parameters
  /** The fault of the first parameter that was left out: repeated, oversized or badly encoded. */
  readonly fault?: OauthError | null
  readonly session: Session | null
  readonly browser: BrowserHandle
}

/**
 * Answers a new authorization request. If the user must act first, the request is stored and found again by its pending
 * handle. Throws `too_many_requests` when one address has too many pending requests.
 */
export async function authorize(
  ports: Ports,
  { fault = null, session, browser, ...input }: AuthorizeInput,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  const parameters = readAuthorizeParameters(input.parameters)
  const save = async () => {
    await countPending(ports, context)
    return savePending(ports, { parameters, browser })
  }
  const state = { digest: null, finish: async () => true, handle: save }
  return answerRequest(ports, { parameters, fault, session, pending: null }, state, context)
}

/** The request in the store, as far as answering it concerns that. */
export type PendingState = {
  /** `null` for a new request. */
  readonly digest: Digest | null
  /** Marks the request as answered; `false` when it was already. */
  readonly finish: () => Promise<boolean>
  /** The handle with which the browser continues; stores a new request. */
  readonly handle: () => Promise<PendingHandle>
}

/** Evaluates a request, acts on the decision, and records the event. */
export async function answerRequest(
  ports: Ports,
  request: RequestToEvaluate,
  state: PendingState,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  const answered = await withRetryOnRevocation(ports, request.session, async session => {
    const evaluation = await evaluateRequest(ports, { ...request, session })
    const outcome = await act(ports, evaluation, state)
    return outcome && { evaluation, outcome }
  })
  recordOutcome(ports, { ...answered, resumed: state.digest }, context)
  return answered.outcome
}

export type RequestToEvaluate = {
  readonly parameters: AuthorizeParameters
  readonly fault?: OauthError | null
  readonly session: Session | null
  /** `null` when the request has only just arrived. */
  readonly pending: OpenedRequest | null
}

/** Proves, validates and decides, for a new request and for a pending one. Changes nothing. */
export async function evaluateRequest(
  ports: Ports,
  { parameters, fault = null, session, pending }: RequestToEvaluate,
): Promise<Evaluation> {
  const raw = withDeliveryOfRequestObject(parameters)
  const checks = recordChecks()
  const proof = await proveReturnAddress(ports, raw, checks)
  if (proof.kind === 'unproven') return { kind: 'show', error: proof.error }
  const { client, address } = proof
  try {
    const scopes = (await ports.scopes.all()).map(({ scope }) => scope)
    const request = validate({ raw, client, scopes, fault }, checks)
    checks.begin('user_may_continue')
    const consentCanBeRemembered = canBeRemembered(client, address.redirectUri)
    const known = { request, client, session, pending, consentCanBeRemembered }
    const decision = decide(await gatherDecisionContext(ports, known))
    if (decision.kind === 'refuse') throw new OauthError(decision.reason, { evidence: sent(raw.prompt) })
    return { kind: 'decided', address, client, request, decision }
  } catch (error) {
    // An internal error is not sent to the client: the user may reload the page, and nothing is lost
    if (!isOauthError(error) || catalog[error.code].status >= 500) throw error
    return { kind: 'refuse', address, error, checks: checks.failed(error.evidence) }
  }
}

/** `null`: the session or consent that the decision is based on was revoked before anything was written. */
async function act(
  ports: Ports,
  evaluation: Evaluation,
  { digest, finish, handle }: PendingState,
): Promise<AuthorizeOutcome | null> {
  if (evaluation.kind === 'show') return evaluation
  if (evaluation.kind === 'refuse') {
    const isFirst = await finish()
    return isFirst ? respondWithError(ports, evaluation.address, evaluation.error) : showFinished
  }
  const { decision } = evaluation
  if (decision.kind === 'issue') {
    // Finished together with the grant and before a token is made: after a revocation the request is still pending
    const basis = { consent: decision.consent, pending: digest }
    const outcome = await issueResponse(ports, { ...evaluation, ...decision, basis })
    if (outcome === 'revoked') return null
    return outcome === 'finished' ? showFinished : outcome
  }
  const pending = await handle()
  if (decision.kind === 'forward') return { kind: 'forward', scheme: decision.scheme, pending }
  return { kind: 'pause', at: decision.at, pending }
}

/**
 * Runs `attempt` again when it returns `null` (see `act`): with the session as it is now, and, should that be revoked as
 * well, as if no one were signed in. That grants nothing and so cannot be revoked.
 */
async function withRetryOnRevocation<Answered>(
  ports: Pick<Ports, 'sessions' | 'clock'>,
  session: Session | null,
  attempt: (session: Session | null) => Promise<Answered | null>,
): Promise<Answered> {
  const first = await attempt(session)
  if (first !== null) return first
  const current = session && (await ports.sessions.find(session.digest, ports.clock.now()))
  const second = await attempt(current)
  if (second !== null) return second
  const last = await attempt(null)
  if (last === null) throw new Error('a grant without a session was revoked')
  return last
}

type Known = Pick<RequestToEvaluate, 'session' | 'pending'> &
  Pick<DecisionContext, 'client' | 'consentCanBeRemembered'> & {
    readonly request: ValidAuthorizeRequest
  }

/** The facts for `decide`. It has no redirect URI, so that other endpoints can use it. */
async function gatherDecisionContext(
  ports: Ports,
  { request, client, pending, consentCanBeRemembered, ...asked }: Known,
): Promise<DecisionContext> {
  const now = ports.clock.now()
  const session = await activeSession(ports, asked.session)
  return {
    request,
    client,
    session,
    pending,
    hint: pending?.hint ?? (await readHint(ports, request.idTokenHint)),
    loginHintDiffers: session !== null && (await loginHintDiffers(ports, { ...request, client, session })),
    providers: openProviders(client, await ports.providers.all()),
    remembered: session && (await ports.consents.find(session.subject, client.clientId, now)),
    consentCanBeRemembered,
    now,
  }
}

async function activeSession(ports: Ports, session: Session | null): Promise<Session | null> {
  return session !== null && (await ports.userService.isActive(session.subject)) ? session : null
}
