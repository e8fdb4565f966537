/** Everything a decision looks at, gathered once. */
import type { Consent, IdentityProvider } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Client } from '#lib/protocol/client.ts'
import { loginHintDiffers } from './login-hint.ts'
import { openProviders } from './open-providers.ts'
import { readHint, type SubjectHint } from './subject-hint.ts'
import type { ValidAuthorizeRequest } from './valid-request.ts'
import type { WaitingRequest } from './waiting-request.ts'

export type Situation = {
  readonly request: ValidAuthorizeRequest
  readonly client: Client
  /** `null` also when the person may no longer sign in. */
  readonly session: Session | null
  readonly hint: SubjectHint
  /** Whether `login_hint` names somebody else than who is signed in. */
  readonly loginHintDiffers: boolean
  /** The identity providers that are open to this client. */
  readonly providers: readonly IdentityProvider[]
  /** What the person allowed this client before. */
  readonly remembered: Consent | null
  /** `null` when the request has only just arrived. */
  readonly pending: WaitingRequest | null
  readonly now: Date
}

type Known = Pick<Situation, 'request' | 'client' | 'session' | 'pending'>

export async function gatherSituation(ports: Ports, known: Known): Promise<Situation> {
  const now = ports.clock.now()
  const session = await activeSession(ports, known.session)
  const { client, request } = known
  return {
    ...known,
    session,
    hint: known.pending?.hint ?? (await readHint(ports, request.idTokenHint)),
    loginHintDiffers: session !== null && (await loginHintDiffers(ports, { ...request, client, session })),
    providers: openProviders(client, await ports.providers.all()),
    remembered: session && (await ports.consents.find(session.subject, client.clientId, now)),
    now,
  }
}

async function activeSession(ports: Ports, session: Session | null): Promise<Session | null> {
  return session !== null && (await ports.userService.isActive(session.subject)) ? session : null
}
