/** An admin comes back from the authorization endpoint: who they are, how fresh that is, and whether they may enter. */
import { adminSession } from '#lib/config/limits.ts'
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
import type { AdminPorts } from '../admin-ports.ts'
import { adminCallback, adminClientId } from './built-in.ts'
import { readDeparture } from './departure.ts'

export type AdminReturn = {
  /** The callback's query. */
  readonly parameters: Readonly<Record<string, string>>
  /** The departure cookie. */
  readonly departure: string | null
  /** The visit that goes on until now, which the new one replaces. */
  readonly replaced: AdminSessionHandle | null
}

export type AdminEntry =
  | { readonly kind: 'entered'; readonly session: AdminSessionHandle; readonly back: string }
  /** The signed-in user is not an administrator. */
  | { readonly kind: 'not_an_administrator' }
  /** The way was broken off, expired, or was not ours: start again. */
  | { readonly kind: 'failed' }

type Proof = { readonly subject: SubjectId; readonly sessionId: SessionId; readonly authenticatedAt: Date }

/**
 * Redeems the code and opens a visit. Everything an app has to check is checked: state, issuer (RFC 9207), nonce,
 * audience, and how old the sign-in is.
 */
export async function enter(
  ports: AdminPorts,
  { parameters, departure: sealed, replaced }: AdminReturn,
  context: RequestContext,
): Promise<AdminEntry> {
  const departure = readDeparture(ports, sealed)
  if (departure === null || parameters.state !== departure.state) return { kind: 'failed' }
  if (parameters.iss !== ports.settings.issuer || parameters.code === undefined) return { kind: 'failed' }
  const redemption = { code: parameters.code, verifier: departure.verifier }
  const idToken = await ports.redeem(
    { ...redemption, redirectUri: adminCallback(ports.settings.issuer) },
    context,
  )
  const proof = idToken === null ? null : await proofIn(ports, idToken, departure.nonce)
  if (proof === null) return { kind: 'failed' }
  if ((await ports.administrators.find(proof.subject)) === null)
    return notAnAdministrator(ports, proof, context)
  if (replaced !== null) await ports.adminSessions.end(ports.hashing.digest(replaced))
  const session = await open(ports, proof)
  ports.events.record({ name: 'admin_signed_in', outcome: 'success', subject: proof.subject }, context)
  return { kind: 'entered', session, back: departure.back }
}

async function proofIn(ports: Ports, idToken: string, nonce: string): Promise<Proof | null> {
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

async function open(ports: AdminPorts, proof: Proof): Promise<AdminSessionHandle> {
  const handle = ports.random.handle('adminSession')
  const now = ports.clock.now()
  await ports.adminSessions.create({
    ...proof,
    digest: ports.hashing.digest(handle),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: secondsAfter(now, adminSession.absoluteSeconds),
  })
  return handle
}

function notAnAdministrator(ports: AdminPorts, { subject }: Proof, context: RequestContext): AdminEntry {
  ports.events.record(
    { name: 'admin_refused', outcome: 'failure', subject, reason: 'not_an_administrator' },
    context,
  )
  return { kind: 'not_an_administrator' }
}
