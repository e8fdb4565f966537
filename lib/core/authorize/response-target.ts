/**
 * Verifies the redirect URI of a request, and makes the responses to the client. They need a `ResponseTarget`, which only
 * `verifyRedirectUri` returns.
 */
import type { CheckRecorder, CheckResult, Evidence } from '#lib/errors/checks.ts'
import type { OauthError } from '#lib/errors/oauth-error.ts'
import { type ErrorReason, reasonRow } from '#lib/errors/reasons.ts'
import { findRegistration } from '#lib/ports/clients.ts'
import type { Event } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { ClientId, GrantId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { shownUri } from '#lib/protocol/text/addresses.ts'
import type { ResponseMode } from '#lib/protocol/vocabulary.ts'
import {
  type AuthorizeParameters,
  deliveryMode,
  type ParameterPairs,
  parseUiLocales,
} from '#lib/protocol/wire/parameters.ts'

declare const verified: unique symbol

/** Where and how a response is sent: a registered redirect URI of an enabled client, and the response mode. */
export type ResponseTarget = {
  readonly [verified]: true
  readonly clientId: ClientId
  readonly clientName: string
  readonly redirectUri: string
  readonly responseMode: ResponseMode
  readonly state: string | null
  /** The languages for the pages that the user sees before the response. */
  readonly uiLocales: readonly string[]
}

/** A refusal that is shown on a page of this server. */
export type ShownError = {
  readonly reason: ErrorReason
  readonly clientName: string | null
  /** The client ID as sent, for the log, even if it is unknown. */
  readonly clientId?: string
  /** Set for a redirect URI that is not registered: the sent one, and the registered ones. */
  readonly mismatch?: { readonly sent: string; readonly registered: readonly string[] }
  /** The checks in order, for the events. */
  readonly checks?: readonly CheckResult[]
  readonly retryAfterSeconds?: number
  /** The ways to continue, if any are offered. */
  readonly continuation?: Continuation
}

/**
 * A refusal on a page, without a redirect: for example, the client or the redirect URI is not verified, or the request
 * was already answered or is too old.
 */
export type ErrorPage = { readonly kind: 'error_page'; readonly error: ShownError }

export function errorPage(reason: ErrorReason): ErrorPage {
  return { kind: 'error_page', error: { reason, clientName: null } }
}

/** Makes the event of an error page or an error response. */
export function refusalEvent({ reason, clientId, mismatch, checks }: Omit<ShownError, 'clientName'>): Event {
  return {
    name: 'authorize_refused',
    outcome: reasonRow(reason).isNeutral ? 'success' : 'failure',
    reason,
    ...(clientId === undefined ? {} : { clientId }),
    ...(mismatch === undefined
      ? {}
      : { details: { redirectUri: shownUri(mismatch.sent, mismatch.registered) } }),
    ...(checks === undefined ? {} : { checks }),
  }
}

/**
 * The links of an error page. `home`: the client's own page. `restart`: the parameters of the same authorization
 * request, while they are known.
 */
export type Continuation = {
  readonly home: string | null
  readonly restart: ParameterPairs | null
  /** Whether the request was answered and a user is signed in. The page then shows no error. */
  readonly isSignedIn: boolean
}

export type Verification = VerifiedRequest | { readonly kind: 'unverified'; readonly error: ShownError }

export type VerifiedRequest = {
  readonly kind: 'verified'
  readonly client: Client
  readonly target: ResponseTarget
}

/**
 * Verifies client and redirect URI before all other checks, so that no error path can redirect elsewhere (OAuth 2.1
 * 4.1.2.1, RFC 9700 4.1.3). If one of them is not verified, the error is shown on a page.
 */
export async function verifyRedirectUri(
  ports: Ports,
  parameters: AuthorizeParameters,
  checks: CheckRecorder,
): Promise<Verification> {
  const { client_id: clientId, redirect_uri: uri } = parameters
  const unverified = (reason: ErrorReason, about: About = {}, evidence: Evidence = {}): Verification => {
    const error = { clientName: null, ...about, reason, checks: checks.failed(evidence) }
    return { kind: 'unverified', error }
  }
  checks.begin('client_known')
  if (clientId === undefined) return unverified('client_id_missing')
  const registered = await findRegistration(ports, clientId)
  if (registered === null)
    return unverified('unknown_client', { clientId }, { sent: clientId.slice(0, longestShown) })
  checks.begin('client_enabled')
  const { client } = registered
  if (!client.enabled) return unverified('client_disabled', { clientId })
  checks.begin('redirect_uri_registered')
  const about = { clientId, clientName: client.clientName }
  const expected = client.redirectUris
  if (uri === undefined) return unverified('redirect_uri_not_sent', about, { expected })
  if (!matchesRedirectUri(client, uri)) {
    const mismatch = { sent: uri, registered: expected }
    return unverified(
      'redirect_uri_mismatch',
      { ...about, mismatch },
      { sent: shownUri(uri, expected), expected },
    )
  }
  const { validateRedirectUri } = ports.hooks
  if (validateRedirectUri && !(await validateRedirectUri({ client, redirectUri: uri, use: 'sign_in' })))
    return unverified('redirect_uri_not_accepted', about, { sent: shownUri(uri, expected) })
  return { kind: 'verified', client, target: targetOf(client, parameters, uri) }
}

/**
 * Whether responses to a client may be sent to this address: exact comparison, nothing normalized (RFC 9700 2.1). A native
 * client's loopback IP address may have any port (RFC 8252 7.3).
 */
export function matchesRedirectUri(
  client: Pick<Client, 'redirectUris' | 'applicationType'>,
  uri: string,
): boolean {
  if (client.redirectUris.includes(uri)) return true
  if (client.applicationType !== 'native') return false
  const asked = withoutLoopbackPort(uri)
  return asked !== null && client.redirectUris.some(registered => withoutLoopbackPort(registered) === asked)
}

/** Returns the URI without its port, if it is http with one of the two hosts in RFC 8252 7.3; otherwise `null`. */
function withoutLoopbackPort(uri: string): string | null {
  const parts =
    /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::([1-9][0-9]{0,4}))?([/?][\x21\x22\x24-\x5b\x5d-\x7e]*)?$/.exec(
      uri,
    )
  if (parts === null || Number(parts[2] ?? 0) > 65_535) return null
  return `${parts[1]}${parts[3] ?? ''}`
}

type About = Omit<Partial<ShownError>, 'reason'>

/** The number of characters of an unknown client ID that the checks record. Registered IDs have at most 100. */
const longestShown = 200

function targetOf(client: Client, parameters: AuthorizeParameters, redirectUri: string): ResponseTarget {
  return Object.freeze({
    clientId: client.clientId,
    clientName: client.clientName,
    redirectUri,
    responseMode: deliveryMode(parameters.response_type, parameters.response_mode),
    state: parameters.state ?? null,
    uiLocales: parseUiLocales(parameters.ui_locales ?? ''),
  }) as ResponseTarget
}

/** A response to the client at its redirect URI; `fields` are in order. */
export type ClientResponse = {
  readonly kind: 'respond'
  readonly to: ResponseTarget
  readonly fields: ResponseFields
  /** The grant of the response; an error has none. */
  readonly grantId?: GrantId
}

export type ResponseFields = ReadonlyArray<readonly [name: string, value: string]>

/** Makes a response. Adds `state`, byte for byte as it was sent, and `iss` (RFC 9207 2). */
export function respond(ports: Ports, to: ResponseTarget, fields: ResponseFields): ClientResponse {
  const state: ResponseFields = to.state === null ? [] : [['state', to.state]]
  return { kind: 'respond', to, fields: [...fields, ...state, ['iss', ports.settings.issuer]] }
}

/** Makes the error response of RFC 6749 4.1.2.1. */
export function respondWithError(ports: Ports, to: ResponseTarget, error: OauthError): ClientResponse {
  return respond(ports, to, [
    ['error', error.wireCode ?? error.code],
    ['error_description', error.description],
  ])
}
