/**
 * The sign-in of an admin at the authorization endpoint: the authorization request, and the callback that creates the admin
 * session.
 */

import { z } from 'zod'
import { adminSession } from '#lib/config/limits.ts'
import { openSealedJson } from '#lib/ports/environment.ts'
import type { Ports } from '#lib/ports/ports.ts'
import {
  type AdminSessionHandle,
  type SessionId,
  type SubjectId,
  sessionIdSchema,
  subjectIdSchema,
} from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { localPath } from '#lib/protocol/wire/local-paths.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { adminCallback, adminClientId } from './built-in.ts'

const place = 'admin:sign-in:cookie'

const signInRequestSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  back: z.string(),
  startedAt: z.number(),
})

export type SignInRequest = z.infer<typeof signInRequestSchema>

type SignInPorts = Pick<Ports, 'random' | 'hashing' | 'sealing' | 'clock' | 'settings'>

type SignInOptions = {
  readonly back: string | null
  readonly isFreshSignIn: boolean
  /** The user name to suggest at the sign-in; `null` for none. */
  readonly loginHint: string | null
}

/**
 * Builds the authorization request of the dashboard, as any client does: code, PKCE, state and nonce. `sealed` is stored in a
 * cookie. With `isFreshSignIn` the admin must sign in again, however recent the session is (AD-04).
 */
export function startSignIn(
  ports: SignInPorts,
  { back, isFreshSignIn, loginHint }: SignInOptions,
): { readonly sealed: string; readonly location: string } {
  const request: SignInRequest = {
    state: ports.random.id(),
    nonce: ports.random.id(),
    verifier: ports.random.id() + ports.random.id(),
    back: adminPath(back),
    startedAt: ports.clock.now().getTime(),
  }
  const query = new URLSearchParams({
    client_id: adminClientId,
    redirect_uri: adminCallback(ports.settings.issuer),
    response_type: 'code',
    scope: 'openid',
    state: request.state,
    nonce: request.nonce,
    code_challenge: ports.hashing.digest(request.verifier),
    code_challenge_method: 'S256',
    max_age: String(adminSession.entrySeconds),
    ...(isFreshSignIn ? { prompt: 'login' } : {}),
    ...(loginHint === null ? {} : { login_hint: loginHint }),
  })
  return {
    sealed: ports.sealing.seal(JSON.stringify(request), place),
    location: `/connect/authorize?${query}`,
  }
}

/** Opens the cookie of the authorization request. Returns `null` if it is missing, altered or too old. */
function readSignInRequest(ports: SignInPorts, sealed: string | null): SignInRequest | null {
  if (sealed === null) return null
  const request = signInRequestSchema.safeParse(openSealedJson(ports.sealing, sealed, place))
  if (!request.success) return null
  const startedAt = new Date(request.data.startedAt)
  return secondsAfter(startedAt, adminSession.departureSeconds) > ports.clock.now() ? request.data : null
}

/** A longer path is replaced by the overview, since it is repeated, encoded, in a header. */
const longestBack = 2000

/** The page of the dashboard to return to. Any other path becomes the overview (WF-07). */
export function adminPath(path: string | null): string {
  if (path !== null && path.length > longestBack) return '/admin'
  const local = localPath(path, '/admin')
  return /^\/admin(\/(?!sign-in|callback|sign-out|do\/)|\?|$)/.test(local) ? local : '/admin'
}

export type AdminCallback = {
  /** The query of the callback. */
  readonly parameters: Readonly<Record<string, string>>
  /** The cookie that contains the sealed authorization request. */
  readonly request: string | null
  /** The current admin session, which the new one replaces. */
  readonly replaced: AdminSessionHandle | null
}

export type SignInOutcome =
  | { readonly kind: 'signed_in'; readonly session: AdminSessionHandle; readonly back: string }
  /** The user signed in but is not an administrator. */
  | { readonly kind: 'not_an_administrator' }
  /** The callback or its ID token is not valid, or the sign-in took too long: the admin has to sign in again. */
  | { readonly kind: 'failed' }

type VerifiedSignIn = {
  readonly subject: SubjectId
  readonly sessionId: SessionId
  readonly authenticatedAt: Date
}

/**
 * Redeems the code and creates an admin session if the user is an administrator and the response passes the checks of a client,
 * such as state, issuer (RFC 9207) and nonce.
 */
export async function finishSignIn(
  ports: AdminPorts,
  { parameters, request: sealed, replaced }: AdminCallback,
  context: RequestContext,
): Promise<SignInOutcome> {
  const request = readSignInRequest(ports, sealed)
  if (request === null || parameters.state !== request.state) return { kind: 'failed' }
  if (parameters.iss !== ports.settings.issuer || parameters.code === undefined) return { kind: 'failed' }
  const redemption = { code: parameters.code, verifier: request.verifier }
  const idToken = await ports.redeem(
    { ...redemption, redirectUri: adminCallback(ports.settings.issuer) },
    context,
  )
  const signIn = idToken === null ? null : await verifyIdToken(ports, idToken, request.nonce)
  if (signIn === null) return { kind: 'failed' }
  if ((await ports.administrators.find(signIn.subject)) === null)
    return notAnAdministrator(ports, signIn, context)
  if (replaced !== null) await ports.adminSessions.end(ports.hashing.digest(replaced))
  const session = await open(ports, signIn)
  ports.events.record({ name: 'admin_signed_in', outcome: 'success', subject: signIn.subject }, context)
  return { kind: 'signed_in', session, back: request.back }
}

async function verifyIdToken(ports: Ports, idToken: string, nonce: string): Promise<VerifiedSignIn | null> {
  const verified = await ports.signer.verify(idToken, 'JWT')
  if (verified === null) return null
  const { aud, nonce: returned, sub, sid, auth_time: authTime } = verified.claims
  const subject = subjectIdSchema.safeParse(sub)
  const sessionId = sessionIdSchema.safeParse(sid)
  if (aud !== adminClientId || returned !== nonce || typeof authTime !== 'number') return null
  if (!subject.success || !sessionId.success) return null
  const authenticatedAt = new Date(authTime * 1000)
  if (secondsAfter(authenticatedAt, adminSession.entrySeconds) < ports.clock.now()) return null
  return { subject: subject.data, sessionId: sessionId.data, authenticatedAt }
}

async function open(ports: AdminPorts, signIn: VerifiedSignIn): Promise<AdminSessionHandle> {
  const handle = ports.random.handle('adminSession')
  const now = ports.clock.now()
  await ports.adminSessions.create({
    ...signIn,
    digest: ports.hashing.digest(handle),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: secondsAfter(now, adminSession.absoluteSeconds),
  })
  return handle
}

function notAnAdministrator(
  ports: AdminPorts,
  { subject }: VerifiedSignIn,
  context: RequestContext,
): SignInOutcome {
  ports.events.record(
    { name: 'admin_refused', outcome: 'failure', subject, reason: 'not_an_administrator' },
    context,
  )
  return { kind: 'not_an_administrator' }
}
