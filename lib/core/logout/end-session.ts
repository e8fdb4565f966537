/** Sign-out that an app asks for (OpenID Connect RP-Initiated Logout 1.0). */
import { lifetimeSeconds } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { isTooLong, type Parameters } from '#lib/protocol/wire/parameters.ts'
import { findEnabledClient } from '../token/client-authentication.ts'

export type EndSessionInput = {
  readonly parameters: Parameters
  readonly session: Session | null
  /** The person's browser went here itself; not an image or a frame of another page. */
  readonly isTopLevelNavigation: boolean
}

/** `request` is for our pages; see `openSignOutRequest`. */
export type EndSessionOutcome =
  /** Nobody is signed in any more. `redirect`: the app proved itself, so the person goes straight back to it. */
  | { readonly kind: 'ended'; readonly redirect: string | null; readonly request: string }
  /** The session stands; the person must say so on our page first. */
  | { readonly kind: 'confirm'; readonly request: string }

/**
 * Ends the session immediately for an app that proves, by an ID token of this user, that it knows whom it signs out.
 * Every other request has to be confirmed, so that no page can sign a user out; so has one whose redirect URI is not
 * registered, because the user expects to return to the app (OpenID Connect RP-Initiated Logout 3).
 */
export async function endSession(
  ports: Ports,
  { parameters, session, isTopLevelNavigation }: EndSessionInput,
  context: RequestContext,
): Promise<EndSessionOutcome> {
  const asker = await readAsker(ports, parameters, session)
  const request = sealSignOutRequest(ports, asker)
  const redirect = asker.isProven ? asker.redirect : null
  if (session === null) return { kind: 'ended', redirect, request }
  if (!asker.isProven || asker.ignored !== null || !isTopLevelNavigation) return { kind: 'confirm', request }
  await end(ports, session, context)
  return { kind: 'ended', redirect, request }
}

// Session first: from then on nothing new can be granted in it
async function end(ports: Ports, session: Session, context: RequestContext): Promise<void> {
  const wasFirst = await ports.sessions.end(session.digest)
  await ports.grants.revoke({ sessionId: session.sessionId }, ports.clock.now())
  if (wasFirst)
    ports.events.record({ name: 'signed_out', outcome: 'success', subject: session.subject }, context)
}

export type Asker = {
  readonly clientName: string | null
  readonly redirect: string | null
  /** An identity token of ours, for the person who is signed in, if anybody is. */
  readonly isProven: boolean
  /** What of the request counted for nothing; told to developers only. */
  readonly ignored: IgnoredParameter | null
}

/** `no_client`: a redirect URI without the client that registered it. */
export type IgnoredParameter = 'id_token_hint' | 'client_id' | 'post_logout_redirect_uri' | 'no_client'

function nobody(ignored: IgnoredParameter | null): Asker {
  return { clientName: null, redirect: null, isProven: false, ignored }
}

/** A hint that is forged, or names another app or person than the rest of the request, makes all of it void. */
export async function readAsker(
  ports: Ports,
  parameters: Parameters,
  session: Session | null,
): Promise<Asker> {
  const hint = parameters.one('id_token_hint')
  const named = parameters.one('client_id')
  const proven = hint === null ? null : await readHint(ports, hint)
  if (hint !== null && proven === null) return nobody('id_token_hint')
  if (proven !== null && session !== null && proven.subject !== session.subject)
    return nobody('id_token_hint')
  if (proven !== null && named !== null && !proven.audience.includes(named)) return nobody('client_id')
  const client = await findEnabledClient(ports, named ?? proven?.audience[0] ?? '')
  if (client === null) return nobody(ignoredWithoutClient(named, parameters))
  const redirect = redirectOf(client, parameters)
  const isRefused = redirect === null && parameters.one('post_logout_redirect_uri') !== null
  return {
    clientName: client.clientName,
    redirect,
    isProven: proven !== null,
    ignored: isRefused ? 'post_logout_redirect_uri' : null,
  }
}

/** A redirect URI is only used for a client that is named. */
function ignoredWithoutClient(named: string | null, parameters: Parameters): IgnoredParameter | null {
  if (named !== null) return 'client_id'
  return parameters.one('post_logout_redirect_uri') !== null ? 'no_client' : null
}

type Hint = { readonly subject: string; readonly audience: readonly JsonValue[] }

/** An expired one will do, it only identifies; the signature always counts. */
async function readHint(ports: Ports, hint: string): Promise<Hint | null> {
  if (isTooLong('id_token_hint', hint)) return null
  const verified = await ports.signer.verify(hint, 'JWT', { ignoreExpiry: true })
  const { sub, aud } = verified?.claims ?? {}
  if (typeof sub !== 'string' || aud === undefined) return null
  return { subject: sub, audience: Array.isArray(aud) ? aud : [aud] }
}

/** Only an address registered for exactly this purpose, character by character. */
function redirectOf(client: Client, parameters: Parameters): string | null {
  const uri = parameters.one('post_logout_redirect_uri') ?? ''
  const state = parameters.one('state') ?? ''
  if (!client.postLogoutRedirectUris.includes(uri)) return null
  if (state === '' || isTooLong('state', state)) return uri
  return `${uri}${uri.includes('?') ? '&' : '?'}state=${encodeURIComponent(state)}`
}

export type SignOutRequest = {
  readonly clientName: string | null
  /** A registered address, `state` included; `null`: the person stays with us. */
  readonly redirect: string | null
  /** What of the app's request counted for nothing; for developers. */
  readonly ignored: IgnoredParameter | null
}

type Sealed = SignOutRequest & { readonly expiresAt: number }

const place = 'logout:request:'

export function sealSignOutRequest(ports: Ports, { clientName, redirect, ignored }: SignOutRequest): string {
  const expiresAt = secondsAfter(ports.clock.now(), lifetimeSeconds.signOutRequest).getTime()
  const sealed: Sealed = { clientName, redirect, ignored, expiresAt }
  return ports.sealing.seal(JSON.stringify(sealed), place)
}

/** Reads it again; `null` when it is missing, altered or too old. */
export function openSignOutRequest(ports: Ports, sealed: string | null): SignOutRequest | null {
  const opened = sealed === null ? null : openOrNull(ports, sealed)
  if (opened === null || opened.expiresAt <= ports.clock.now().getTime()) return null
  const { clientName, redirect, ignored } = opened
  return { clientName, redirect, ignored }
}

function openOrNull(ports: Ports, sealed: string): Sealed | null {
  try {
    return JSON.parse(ports.sealing.open(sealed, place))
  } catch {
    // Altered or from elsewhere: as good as none
    return null
  }
}
