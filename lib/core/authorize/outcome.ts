/** The outcomes of an authorization request: the responses to the client, the pages, and the event of each. */
import { catalog } from '#lib/errors/catalog.ts'
import type { CheckResult } from '#lib/errors/checks.ts'
import type { OauthError } from '#lib/errors/oauth-error.ts'
import type { ErrorReason } from '#lib/errors/reasons.ts'
import type { Event } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Digest, GrantId, PendingHandle, ProviderScheme } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { flowOf, type RequestContext } from '#lib/protocol/request-context.ts'
import { shownUri } from '#lib/protocol/text/addresses.ts'
import type { Decision, PausePage } from './decide.ts'
import type { ReturnAddress, ShownError } from './return-address.ts'
import type { ValidAuthorizeRequest } from './validate.ts'

/** The result of the checks and the decision, before anything is done. */
export type Evaluation =
  /** Client or redirect URI are not proven: shown on a page, never redirected. */
  | { readonly kind: 'show'; readonly error: ShownError }
  | {
      readonly kind: 'refuse'
      readonly address: ReturnAddress
      readonly error: OauthError
      /** For the events: what was checked, in order. */
      readonly checks?: readonly CheckResult[]
    }
  | {
      readonly kind: 'decided'
      readonly address: ReturnAddress
      readonly client: Client
      readonly request: ValidAuthorizeRequest
      readonly decision: Exclude<Decision, { kind: 'refuse' }>
    }

/** Switched over exhaustively in `lib/http/respond-authorize.ts`. */
export type AuthorizeOutcome =
  /** Sent to the client, in the address's response mode, `fields` in order. */
  | {
      readonly kind: 'respond'
      readonly to: ReturnAddress
      readonly fields: Fields
      /** What was granted, for the events; an error grants nothing. */
      readonly grantId?: GrantId
    }
  /** The user must act first, on a page of this server. */
  | { readonly kind: 'pause'; readonly at: PausePage; readonly pending: PendingHandle }
  /** The user is redirected to an identity provider without a page of this server. */
  | { readonly kind: 'forward'; readonly scheme: ProviderScheme; readonly pending: PendingHandle }
  /** A page, never a redirect: client or redirect URI are unproven, or the request was already answered or is too old. */
  | { readonly kind: 'show'; readonly error: ShownError }

type Fields = ReadonlyArray<readonly [string, string]>

type Response = Extract<AuthorizeOutcome, { kind: 'respond' }>
type Shown = Extract<AuthorizeOutcome, { kind: 'show' }>

/** Adds `state`, byte for byte as it was sent, and `iss` (RFC 9207 2). */
export function respond(ports: Ports, to: ReturnAddress, fields: Fields): Response {
  const state: Fields = to.state === null ? [] : [['state', to.state]]
  return { kind: 'respond', to, fields: [...fields, ...state, ['iss', ports.settings.issuer]] }
}

/** The error response of RFC 6749 4.1.2.1. */
export function respondWithError(ports: Ports, to: ReturnAddress, error: OauthError): AuthorizeOutcome {
  const description = permitted(error.description ?? catalog[error.code].description)
  return respond(ports, to, [
    ['error', error.code],
    ['error_description', description],
  ])
}

// RFC 6749 4.1.2.1: %x20-21 / %x23-5B / %x5D-7E
function permitted(description: string): string {
  return description.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?')
}

export const showExpired = shownFor('request_expired')

/** UXC-08: this browser did not return the cookie that binds the request to it. */
export const showCookieless = shownFor('cookie_missing')

export const showFinished = shownFor('request_finished')

function shownFor(reason: ErrorReason): Shown {
  return { kind: 'show', error: { reason, clientName: null } }
}

type Answered = {
  readonly evaluation: Evaluation
  readonly outcome: AuthorizeOutcome
  /** The pending request; `null` for a new one. */
  readonly resumed: Digest | null
}

export function recordOutcome(ports: Ports, answered: Answered, context: RequestContext): void {
  const flow = flowFor(ports, answered)
  ports.events.record({ ...eventOf(answered), ...(flow === null ? {} : { flow }) }, context)
}

/** From the first pause on, all requests of one sign-in have the same flow ID. */
function flowFor({ hashing }: Ports, { outcome, resumed }: Answered): string | null {
  if (resumed !== null) return flowOf(resumed)
  const pending = outcome.kind === 'pause' || outcome.kind === 'forward' ? outcome.pending : null
  return pending === null ? null : flowOf(hashing.digest(pending))
}

function eventOf({ evaluation, outcome, resumed }: Answered): Event {
  if (outcome.kind === 'show') return shown(outcome.error)
  if (evaluation.kind === 'show') return shown(evaluation.error)
  const { clientId } = evaluation.address
  if (evaluation.kind === 'refuse') {
    const { error, checks = [] } = evaluation
    return { name: 'authorize_refused', outcome: 'failure', clientId, reason: error.reason, checks }
  }
  const { decision } = evaluation
  if (decision.kind !== 'issue') return paused(clientId, decision, resumed !== null)
  const grant =
    outcome.kind === 'respond' && outcome.grantId !== undefined ? { grantId: outcome.grantId } : {}
  return { ...issued(evaluation, decision, resumed !== null), ...grant }
}

function shown({ reason, clientId, mismatch, checks }: ShownError): Event {
  return {
    name: 'authorize_refused',
    outcome: 'failure',
    reason,
    ...(clientId === undefined ? {} : { clientId }),
    ...(mismatch === undefined
      ? {}
      : { details: { redirectUri: shownUri(mismatch.sent, mismatch.registered) } }),
    ...(checks === undefined ? {} : { checks }),
  }
}

type Decided = Extract<Evaluation, { kind: 'decided' }>
type Pause = Exclude<Decided['decision'], { kind: 'issue' }>

function paused(clientId: string, decision: Pause, resumed: boolean): Event {
  const details = { at: decision.kind === 'ask' ? decision.at : 'provider', resumed }
  return { name: 'authorize_paused', outcome: 'success', clientId, reason: decision.reason, details }
}

function issued(
  { request, address }: Decided,
  { session, scopes }: { readonly session: { readonly subject: string }; readonly scopes: readonly string[] },
  resumed: boolean,
): Event {
  const details = { responseType: request.responseType, scope: scopes.join(' '), resumed }
  return {
    name: 'authorize_answered',
    outcome: 'success',
    clientId: address.clientId,
    subject: session.subject,
    details,
  }
}
