/** Everything a decision looks at, gathered once. */
import type { Consent, IdentityProvider } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { PendingRequest, Session } from '#lib/ports/sessions.ts'
import type { Client } from '#lib/protocol/client.ts'
import { openProviders } from './open-providers.ts'
import type { ValidAuthorizeRequest } from './valid-request.ts'

export type Situation = {
  readonly request: ValidAuthorizeRequest
  readonly client: Client
  /** `null` also when the person may no longer sign in. */
  readonly session: Session | null
  readonly hint: SubjectHint
  /** The identity providers that are open to this client. */
  readonly providers: readonly IdentityProvider[]
  /** What the person allowed this client before. */
  readonly remembered: Consent | null
  /** `null` when the request has only just arrived. */
  readonly pending: PendingRequest | null
  readonly now: Date
}

/** Whom the app believes to be signed in, from `id_token_hint`. */
export type SubjectHint =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'subject'; readonly subject: string }

type Known = Pick<Situation, 'request' | 'client' | 'session' | 'pending'>

export async function gatherSituation(ports: Ports, known: Known): Promise<Situation> {
  const now = ports.clock.now()
  const session = await activeSession(ports, known.session)
  return {
    ...known,
    session,
    hint: await readHint(ports, known.request.idTokenHint),
    providers: openProviders(known.client, await ports.providers.all()),
    remembered: session && (await ports.consents.find(session.subject, known.client.clientId, now)),
    now,
  }
}

async function activeSession(ports: Ports, session: Session | null): Promise<Session | null> {
  return session !== null && (await ports.userService.isActive(session.subject)) ? session : null
}

// OpenID Connect Core 3.1.2.1: an expired hint still names its person
async function readHint(ports: Ports, hint: string | null): Promise<SubjectHint> {
  if (hint === null) return { kind: 'absent' }
  const verified = await ports.signer.verify(hint, 'JWT', { ignoreExpiry: true })
  const subject = verified?.claims.sub
  return typeof subject === 'string' ? { kind: 'subject', subject } : { kind: 'unreadable' }
}
