/** The authorization endpoint: prove, validate, gather, decide, act (OpenID Connect Core 3.1.2). */
import { catalog } from '#lib/errors/catalog.ts'
import { isOauthError, OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { type AuthorizeParameters, readAuthorizeParameters } from '#lib/protocol/wire/authorize-params.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import { createCheckRecorder } from './check-recorder.ts'
import { decide } from './decide.ts'
import { gatherDecisionContext } from './decision-context.ts'
import { sent } from './evidence.ts'
import { issueResponse } from './issue.ts'
import { savePending } from './pending.ts'
import { recordOutcome } from './record-outcome.ts'
import { withWayBackOfRequestObject } from './refused-request-object.ts'
import { type AuthorizeOutcome, type Evaluation, respondWithError } from './respond.ts'
import { withRetryOnRevocation } from './retry-on-revocation.ts'
import { proveReturnAddress } from './return-address.ts'
import { validate } from './validate.ts'
import { countWaiting } from './waiting-limit.ts'
import type { WaitingRequest } from './waiting-request.ts'

export type AuthorizeInput = {
  /** As they came, without those that are at fault. */
  readonly parameters: Parameters
  /** What is wrong with the first that was left out: repeated, oversized or badly encoded. */
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
  input: AuthorizeInput,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  const { fault = null, browser } = input
  const parameters = readAuthorizeParameters(input.parameters)
  const answered = await withRetryOnRevocation(ports, input.session, async session => {
    const evaluation = await evaluateRequest(ports, { parameters, fault, session, pending: null })
    const outcome = await act(ports, evaluation, { parameters, browser, context })
    return outcome && { evaluation, outcome }
  })
  recordOutcome(ports, { ...answered, waited: null }, context)
  return answered.outcome
}

export type RequestToEvaluate = {
  readonly parameters: AuthorizeParameters
  readonly fault?: OauthError | null
  readonly session: Session | null
  /** `null` when the request has only just arrived. */
  readonly pending: WaitingRequest | null
}

/** What a new request, a resumed one and a look at a pending one share. Changes nothing. */
export async function evaluateRequest(
  ports: Ports,
  { parameters, fault = null, session, pending }: RequestToEvaluate,
): Promise<Evaluation> {
  const raw = withWayBackOfRequestObject(parameters)
  const checks = createCheckRecorder()
  const proof = await proveReturnAddress(ports, raw, checks)
  if (proof.kind === 'unproven') return { kind: 'show', error: proof.error }
  const { client, address } = proof
  try {
    const scopes = (await ports.scopes.all()).map(({ scope }) => scope)
    const request = validate({ raw, client, scopes, fault }, checks)
    const decision = decide(await gatherDecisionContext(ports, { request, proof, session, pending }))
    if (decision.kind === 'refuse') throw new OauthError(decision.reason, { evidence: sent(raw.prompt) })
    return { kind: 'decided', address, client, request, decision }
  } catch (error) {
    // An error of this server is not the client's answer: the user may reload, and nothing is lost
    if (!isOauthError(error) || catalog[error.code].status >= 500) throw error
    const failed = checks.failedAt(checks.current(), error.evidence ?? {})
    return { kind: 'refuse', address, error, checks: failed }
  }
}

type NewRequest = {
  readonly parameters: AuthorizeParameters
  readonly browser: BrowserHandle
  readonly context: RequestContext
}

/** `null`: what the decision rested on was revoked before anything was written. */
async function act(
  ports: Ports,
  evaluation: Evaluation,
  { parameters, browser, context }: NewRequest,
): Promise<AuthorizeOutcome | null> {
  if (evaluation.kind === 'show') return evaluation
  if (evaluation.kind === 'refuse') return respondWithError(ports, evaluation.address, evaluation.error)
  const { decision } = evaluation
  if (decision.kind === 'issue') {
    const basis = { consent: decision.consent, pending: null }
    const outcome = await issueResponse(ports, { ...evaluation, ...decision, basis })
    if (outcome === 'finished') throw new Error('a request that was never pending cannot be finished')
    return outcome === 'withdrawn' ? null : outcome
  }
  await countWaiting(ports, context)
  const pending = await savePending(ports, { parameters, browser })
  if (decision.kind === 'forward') return { kind: 'forward', scheme: decision.scheme, pending }
  return { kind: 'pause', at: decision.at, pending }
}
