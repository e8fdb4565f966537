/** Sign-out at the request of an app (OpenID Connect RP-Initiated Logout 1.0). */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import { type Evidence, resultsOfFailure } from '#lib/errors/checks.ts'
import { isOauthError } from '#lib/errors/oauth-error.ts'
import type { ErrorReason, Reason } from '#lib/errors/reasons.ts'
import { openSealedJson } from '#lib/ports/environment.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { shownUri } from '#lib/protocol/text/addresses.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { SignOutPrompt } from '#lib/protocol/vocabulary.ts'
import { isTooLong, type Parameters, parameterLimit } from '#lib/protocol/wire/parameters.ts'
import { type IdTokenHint, readIdTokenHint } from '../authorize/id-token-hint.ts'
import { hookRequest } from '../hooks/hooks.ts'
import { findEnabledClient } from '../registrations/enabled-client.ts'

/** A parsed request of a client. `hint`: `invalid` if it is too long or this server did not issue it. */
export type AskedSignOut = {
  readonly hint: IdTokenHint | 'invalid' | null
  readonly clientId: string | null
  readonly redirectUri: string | null
  readonly state: string | null
}

/**
 * Parses the parameters of a request. A value that is too long is cut to one character more than allowed, so that it
 * remains too long.
 */
export async function readSignOutParameters(
  ports: Pick<Ports, 'signer'>,
  parameters: Parameters,
): Promise<AskedSignOut> {
  const hint = parameters.one('id_token_hint')
  const cut = (name: string) => parameters.one(name)?.slice(0, parameterLimit(name) + 1) ?? null
  return {
    hint: hint === null ? null : ((await readIdTokenHint(ports, hint)) ?? 'invalid'),
    clientId: cut('client_id'),
    redirectUri: cut('post_logout_redirect_uri'),
    state: cut('state'),
  }
}

const postedPlace = 'logout:posted:'

/**
 * Seals a posted request for the redirect to a GET, with which the browser sends its cookies. The facts of the ID token
 * are sealed instead of the token, so that the address is short.
 */
export function sealPostedSignOut(ports: Pick<Ports, 'sealing' | 'clock'>, asked: AskedSignOut): string {
  const expiresAt = secondsAfter(ports.clock.now(), lifetimeSeconds.signOutRequest).getTime()
  return ports.sealing.seal(JSON.stringify({ ...asked, expiresAt }), postedPlace)
}

/** Opens a sealed request. Returns `null` for a value that was altered or is too old. */
export function openPostedSignOut(
  ports: Pick<Ports, 'sealing' | 'clock'>,
  sealed: string,
): AskedSignOut | null {
  const opened = openSealedJson(ports.sealing, sealed, postedPlace) as SealedPost | null
  if (opened === null || opened.expiresAt <= ports.clock.now().getTime()) return null
  const { hint, clientId, redirectUri, state } = opened
  return { hint, clientId, redirectUri, state }
}

type SealedPost = AskedSignOut & { readonly expiresAt: number }

export type EndSessionInput = {
  readonly asked: AskedSignOut
  /** The session of the account that the hint names, if it is signed in in this browser; otherwise the current one. */
  readonly session: Session | null
  /** Whether the user navigated here directly, and not an image or a frame of another page. */
  readonly isTopLevelNavigation: boolean
}

/** The outcome. `request` is for the pages of this server; see `openSignOutRequest`. */
export type EndSessionOutcome =
  /**
   * No user is signed in. `redirect`: set if the user returns to a registered URI of the client directly, because the
   * client proved itself or is registered with `sign_out_prompt` `if-required`.
   */
  | { readonly kind: 'ended'; readonly redirect: string | null; readonly request: string }
  /** The session continues until the user confirms on a page of this server. */
  | { readonly kind: 'confirm'; readonly request: string }

/** Ends the session immediately, or asks the user to confirm it. Without a session there is nothing to confirm. */
export async function endSession(
  ports: Ports,
  { asked, session, isTopLevelNavigation }: EndSessionInput,
  context: RequestContext,
): Promise<EndSessionOutcome> {
  const read = await readSignOutRequest(ports, asked, session)
  if (read.ignored !== null) recordIgnored(ports, read.ignored, read, context)
  const { requestId } = context
  const request = sealSignOutRequest(ports, { ...read, subject: session?.subject ?? null, requestId })
  const redirect = read.isProven || read.signOutPrompt === 'if-required' ? read.redirect : null
  if (session === null) return { kind: 'ended', redirect, request }
  if (!isTopLevelNavigation || mustConfirm(read.signOutPrompt ?? ports.settings.signOutPrompt, read))
    return { kind: 'confirm', request }
  await signOut(ports, session, context)
  return { kind: 'ended', redirect, request }
}

/**
 * Whether the user must confirm. By default, only a client that proves with an ID token which user it signs out needs
 * no confirmation, so that no other page can sign a user out; the operator can configure the server or the client
 * otherwise. A request with an ignored parameter always needs confirmation: it may be forged, or the user expects to
 * return to the client, and does not (OpenID Connect RP-Initiated Logout 3).
 */
function mustConfirm(policy: SignOutPrompt, { isProven, ignored }: ReadRequest): boolean {
  if (ignored !== null || policy === 'always') return true
  return policy === 'without-hint' && !isProven
}

/** Records why the parameter was ignored. */
function recordIgnored(
  { events }: Pick<Ports, 'events'>,
  ignored: IgnoredParameter,
  { clientId, evidence }: Pick<ReadRequest, 'clientId' | 'evidence'>,
  context: RequestContext,
): void {
  const check = 'post_logout_redirect_uri_registered'
  const checks = evidence === null ? {} : { checks: resultsOfFailure([check], check, evidence) }
  const about = clientId === null ? {} : { clientId }
  const reason = reasonsOfIgnored[ignored]
  events.record({ name: 'sign_out_refused', outcome: 'failure', reason, ...about, ...checks }, context)
}

const reasonsOfIgnored = {
  id_token_hint: 'sign_out_hint_invalid',
  client_id: 'sign_out_client_unknown',
  no_client: 'sign_out_client_missing',
  post_logout_redirect_uri: 'post_logout_redirect_uri_mismatch',
} as const satisfies Readonly<Record<IgnoredParameter, Reason>>

/**
 * Whether a sign-out that no client requested needs no confirmation. The page then leads to the endpoint, which signs
 * out.
 */
export function signsOutUnasked({ settings }: Pick<Ports, 'settings'>): boolean {
  return settings.signOutPrompt === 'if-required' && settings.enabledEndpoints.has('endsession')
}

/**
 * Ends the session and revokes its grants, except offline access; then calls the hook `signOut` and records the event.
 * Does nothing without a session, or if it has already ended.
 */
export async function signOut(ports: Ports, session: Session | null, context: RequestContext): Promise<void> {
  const wasFirst = session !== null && (await ports.sessions.end(session, ports.clock.now()))
  if (!wasFirst) return
  const failure = await callSignOutHook(ports, session, context)
  const { subject } = session
  const event =
    failure === null ? ({ outcome: 'success' } as const) : ({ outcome: 'failure', ...failure } as const)
  ports.events.record({ name: 'signed_out', subject, ...event }, context)
}

/**
 * Calls the hook after the session has ended. Returns the reason of an `OauthError`; `null`: the hook did not fail, or
 * there is none. Throws every other error.
 */
async function callSignOutHook(
  { hooks: { signOut } }: Pick<Ports, 'hooks'>,
  { subject, sessionId, idp }: Session,
  context: RequestContext,
): Promise<{ readonly reason: ErrorReason } | null> {
  try {
    await signOut?.({ subject, sessionId, idp, request: hookRequest(context) })
    return null
  } catch (error) {
    if (isOauthError(error)) return { reason: error.reason }
    throw error
  }
}

export type SignOutRequest = {
  /** The user to sign out; `null`: none was signed in, so that a user who signs in later is asked. */
  readonly subject: SubjectId | null
  readonly clientName: string | null
  /** The registered redirect URI, including `state`; `null`: the user stays on this server. */
  readonly redirect: string | null
  /** The ignored parameter; `null`: none. */
  readonly ignored: IgnoredParameter | null
  /** The ID of the request for the sign-out. */
  readonly requestId: string
}

/** The ignored parameter. `no_client`: the redirect URI, because no client was named that could have registered it. */
export type IgnoredParameter = 'id_token_hint' | 'client_id' | 'post_logout_redirect_uri' | 'no_client'

/**
 * A parsed request. `isProven`: it contains an ID token that this server issued to the client for the signed-in user,
 * or for any user if none is signed in.
 */
type ReadRequest = Omit<SignOutRequest, 'requestId' | 'subject'> & {
  readonly isProven: boolean
  /** The setting of the client; `null`: the setting of the server applies. */
  readonly signOutPrompt: SignOutPrompt | null
  readonly clientId: string | null
  /** The ignored redirect URI, and the registered ones; `null` unless the redirect URI of a known client is ignored. */
  readonly evidence: Evidence | null
}

/**
 * Checks a parsed request. A hint that is invalid or names another user than the session, and a `client_id` that is
 * unknown, disabled or not in the audience of the hint, invalidate the whole request.
 */
async function readSignOutRequest(
  ports: Ports,
  asked: AskedSignOut,
  session: Session | null,
): Promise<ReadRequest> {
  const { hint: proven, clientId: named } = asked
  if (proven === 'invalid') return ignoring('id_token_hint')
  if (proven !== null && session !== null && proven.subject !== session.subject)
    return ignoring('id_token_hint')
  if (proven !== null && named !== null && !proven.audience.includes(named)) return ignoring('client_id')
  const client = await findEnabledClient(ports, named ?? proven?.audience[0] ?? '')
  const isRedirectNamed = asked.redirectUri !== null
  if (client === null && named !== null) return ignoring('client_id')
  if (client === null) return ignoring(isRedirectNamed ? 'no_client' : null)
  const redirect = await redirectOf(ports, client, asked)
  const isIgnored = redirect === null && isRedirectNamed
  return {
    clientId: client.clientId,
    evidence: isIgnored ? evidenceOf(client, asked.redirectUri ?? '') : null,
    clientName: client.clientName,
    redirect,
    isProven: proven !== null,
    signOutPrompt: client.signOutPrompt,
    ignored: isIgnored ? 'post_logout_redirect_uri' : null,
  }
}

function ignoring(ignored: IgnoredParameter | null): ReadRequest {
  const client = { clientId: null, clientName: null, redirect: null, evidence: null }
  return { ...client, isProven: false, signOutPrompt: null, ignored }
}

function evidenceOf({ postLogoutRedirectUris: expected }: Client, uri: string): Evidence {
  return { sent: shownUri(uri, expected), expected }
}

/**
 * Returns the redirect URI, with the `state` unless that is too long; `null` unless exactly this URI is registered for
 * sign-out and the hook, if there is one, accepts it.
 */
async function redirectOf(ports: Ports, client: Client, asked: AskedSignOut): Promise<string | null> {
  const uri = asked.redirectUri ?? ''
  const state = asked.state ?? ''
  if (!client.postLogoutRedirectUris.includes(uri)) return null
  const { validateRedirectUri } = ports.hooks
  if (validateRedirectUri && !(await validateRedirectUri({ client, redirectUri: uri, use: 'sign_out' })))
    return null
  if (state === '' || isTooLong('state', state)) return uri
  return `${uri}${uri.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`
}

type Sealed = SignOutRequest & { readonly expiresAt: number }

const place = 'logout:request:'

/** Seals the request for the pages, so that its target cannot be changed. */
function sealSignOutRequest(
  ports: Ports,
  { subject, clientName, redirect, ignored, requestId }: SignOutRequest,
): string {
  const expiresAt = secondsAfter(ports.clock.now(), lifetimeSeconds.signOutRequest).getTime()
  const sealed: Sealed = { subject, clientName, redirect, ignored, requestId, expiresAt }
  return ports.sealing.seal(JSON.stringify(sealed), place)
}

/** Opens a sealed request; `null` when it is missing, altered or too old. */
export function openSignOutRequest(ports: Ports, sealed: string | null): SignOutRequest | null {
  const opened = sealed === null ? null : (openSealedJson(ports.sealing, sealed, place) as Sealed | null)
  if (opened === null || opened.expiresAt <= ports.clock.now().getTime()) return null
  const { subject = null, clientName, redirect, ignored, requestId } = opened
  return { subject, clientName, redirect, ignored, requestId }
}
