/**
 * The user's actions on a pending request: resume it, cancel it, choose an account. Resuming and canceling validate the request
 * again.
 */
import { authorizeChecks, recordChecks } from '#lib/errors/checks.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { type BrowserHandle, clientIdIn, type PendingHandle } from '#lib/protocol/ids.ts'
import { flowOf, type RequestContext } from '#lib/protocol/request-context.ts'
import { authorizePairs } from '#lib/protocol/wire/parameters.ts'
import { findEnabledClient } from '../registrations/enabled-client.ts'
import { type AuthorizeOutcome, answerRequest, evaluateRequest, type SignedInUser } from './authorize.ts'
import { checkRequest } from './check-request.ts'
import type { InteractionPage } from './decide.ts'
import {
  findPendingRequest,
  findUnfinishedRequest,
  type OpenedRequest,
  type PendingInteraction,
  refundPendingLimit,
} from './pending.ts'
import { type ErrorPage, errorPage, refusalEvent, respondWithError } from './response-target.ts'

export type ResumeInput = SignedInUser & {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  /** The stored request from `findPendingRequest`; absent if it was not read. */
  readonly opened?: OpenedRequest | null
}

/**
 * Responds to the client, or asks the user again. A request that is unknown, too old or from another browser gets the
 * page for expired requests, an answered request the page for finished ones. A browser that sends the handle of a request but not
 * its own cookie gets a page about cookies.
 */
export async function resume(
  ports: Ports,
  input: ResumeInput,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  if (input.pending !== null && input.browser === null)
    return recordErrorPage(ports, await namingApp(ports, errorPage('cookie_missing'), input), input, context)
  const { opened: found, pending, browser: _, ...user } = input
  const opened = found === undefined ? await findPendingRequest(ports, input) : found
  if (opened === null || pending === null)
    return recordErrorPage(ports, await namingApp(ports, errorPage('request_expired'), input), input, context)
  if (opened.finishedAt !== null || opened.expiresAt <= ports.clock.now()) {
    const isFinished = opened.finishedAt !== null
    const about = { opened, isSignedIn: isFinished && input.session !== null }
    const page = await withContinuation(
      ports,
      errorPage(isFinished ? 'request_finished' : 'request_expired'),
      about,
    )
    return recordErrorPage(ports, page, input, context)
  }
  const { digest, parameters } = opened
  const stored = { kind: 'stored', digest, pending } as const
  const outcome = await answerRequest(ports, { parameters, user, opened }, stored, context)
  // Another copy of the same form was answered at the same moment
  if (outcome.kind === 'error_page' && outcome.error.reason === 'request_finished')
    return withContinuation(ports, outcome, { opened, isSignedIn: user.session !== null })
  if (outcome.kind === 'respond' && outcome.grantId !== undefined) await refundPendingLimit(ports, context)
  return outcome
}

type CancelInput = Omit<ResumeInput, 'session'> & { readonly reason?: 'cancelled' | 'assurance_unreachable' }

/**
 * Ends the request, whether or not a user is signed in: with `access_denied` (RFC 6749 4.1.2.1) if the user canceled, or with
 * `unmet_authentication_requirements`.
 */
export async function cancelRequest(
  ports: Ports,
  { reason = 'cancelled', ...input }: CancelInput,
  context: RequestContext,
): Promise<AuthorizeOutcome> {
  const opened = await findPendingRequest(ports, input)
  if (opened === null)
    return recordErrorPage(ports, await namingApp(ports, errorPage('request_expired'), input), input, context)
  const about = { opened, isSignedIn: false }
  if (opened.expiresAt <= ports.clock.now()) {
    const page = await withContinuation(ports, errorPage('request_expired'), about)
    return recordErrorPage(ports, page, input, context)
  }
  const checked = await checkRequest(ports, opened, recordChecks(authorizeChecks))
  if (checked.kind === 'error_page') return recordErrorPage(ports, checked, input, context)
  if (!(await ports.pendingRequests.finish(opened.digest, ports.clock.now()))) {
    const page = await withContinuation(ports, errorPage('request_finished'), about)
    return recordErrorPage(ports, page, input, context)
  }
  const error = new OauthError(reason)
  const event = refusalEvent({ reason: error.reason, clientId: checked.target.clientId })
  ports.events.record({ ...event, flow: flowOf(opened.digest) }, context)
  return respondWithError(ports, checked.target, error)
}

/**
 * Records an event with the request ID that the page shows, so that support can find it. The pending handle links the
 * event to its sign-in.
 */
function recordErrorPage(
  ports: Ports,
  outcome: ErrorPage,
  { pending }: { readonly pending: PendingHandle | null },
  context: RequestContext,
): ErrorPage {
  const flow = pending === null ? {} : { flow: flowOf(ports.hashing.tokenDigest(pending)) }
  ports.events.record({ ...refusalEvent(outcome.error), ...flow }, context)
  return outcome
}

/**
 * Adds the client's name and the links to continue to the error page of a request that this browser began. A client that was
 * disabled, or whose registration or redirect URI was removed, is not named.
 */
export async function withContinuation(
  ports: Ports,
  { error }: ErrorPage,
  { opened, isSignedIn }: { readonly opened: OpenedRequest; readonly isSignedIn: boolean },
): Promise<ErrorPage> {
  const checked = await checkRequest(ports, opened, recordChecks(authorizeChecks))
  if (checked.kind === 'error_page') return { kind: 'error_page', error }
  const { clientId, clientName, clientUri } = checked.client
  const continuation = { home: clientUri, restart: authorizePairs(opened.parameters), isSignedIn }
  return { kind: 'error_page', error: { ...error, clientId, clientName, continuation } }
}

/**
 * Adds the name of the client in the handle, and its own page, where the user can start again. NOTE: anyone can
 * make such a handle, so it only selects a registered client, and links only to its registered address.
 */
async function namingApp(
  ports: Ports,
  page: ErrorPage,
  { pending }: { readonly pending: PendingHandle | null },
): Promise<ErrorPage> {
  const named = pending && clientIdIn(pending)
  const client = named && (await findEnabledClient(ports, named))
  if (!client) return page
  const { clientId, clientName, clientUri } = client
  const continuation = { home: clientUri, restart: null, isSignedIn: false }
  return { ...page, error: { ...page.error, clientId, clientName, continuation } }
}

/**
 * Whether the signed-in user can continue a pending request, for example after a sign-in in another tab. Changes
 * nothing.
 */
export async function isSignedInFor(
  ports: Ports,
  { opened }: PendingInteraction,
  user: SignedInUser,
): Promise<boolean> {
  if (user.session === null) return false
  const request = { parameters: opened.parameters, user, opened }
  const evaluation = await evaluateRequest(ports, request, recordChecks(authorizeChecks))
  if (evaluation.kind !== 'decided') return false
  const { decision } = evaluation
  return decision.kind === 'issue' || (decision.kind === 'interact' && canContinueAt.has(decision.at))
}

/** The pages at which the signed-in user continues without a new sign-in. */
const canContinueAt: ReadonlySet<InteractionPage> = new Set(['step_up', 'consent'])

/**
 * Records that the user continues with the account of this session. `null`: with an account that is not signed in; there is
 * nothing to record, because a sign-in that is newer than the request counts as the choice.
 */
export async function chooseAccount(
  ports: Ports,
  { session, ...carried }: ResumeInput,
): Promise<'resume' | 'sign_in' | 'expired'> {
  const opened = await findUnfinishedRequest(ports, carried)
  if (opened === null) return 'expired'
  if (session === null) return 'sign_in'
  await ports.pendingRequests.recordChoice(opened.digest, session.subject)
  return 'resume'
}
