/** Sign-out that an app asks for (OpenID Connect RP-Initiated Logout 1.0). */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { Parameters } from '#lib/protocol/wire/parameters.ts'
import { readAsker } from './asker.ts'
import { sealSignOutRequest } from './sign-out-request.ts'

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
