/** The facts that `decide` looks at, gathered once. */
import type { Consent, IdentityProvider } from '#lib/ports/grants.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import { canBeRemembered } from '../consent/consent-rule.ts'
import { loginHintDiffers } from './login-hint.ts'
import { openProviders } from './open-providers.ts'
import type { ProvenRequest } from './return-address.ts'
import { readHint, type SubjectHint } from './subject-hint.ts'
import type { ValidAuthorizeRequest } from './validate.ts'
import type { WaitingRequest } from './waiting-request.ts'

/** The part of a request that decides what the user must do. It has no redirect URI, so that other endpoints can use it. */
export type RequestToDecide = Pick<
  ValidAuthorizeRequest,
  'scopes' | 'prompts' | 'maxAgeSeconds' | 'acrValues'
>

export type DecisionContext = {
  readonly request: RequestToDecide
  readonly client: Client
  /** `null` also when the user may no longer sign in. */
  readonly session: Session | null
  readonly hint: SubjectHint
  /** Whether `login_hint` names another user than the one who is signed in. */
  readonly loginHintDiffers: boolean
  /** The identity providers that are open to this client. */
  readonly providers: readonly IdentityProvider[]
  /** What the user allowed this client before. */
  readonly remembered: Consent | null
  /** Whether a remembered consent may replace the question: see `canBeRemembered`. */
  readonly consentCanBeRemembered: boolean
  /** `null` when the request has only just arrived. */
  readonly pending: WaitingRequest | null
  readonly now: Date
}

type Known = Pick<DecisionContext, 'session' | 'pending'> & {
  readonly request: ValidAuthorizeRequest
  readonly proof: ProvenRequest
}

export async function gatherDecisionContext(
  ports: Ports,
  { request, proof: { client, address }, pending, ...asked }: Known,
): Promise<DecisionContext> {
  const now = ports.clock.now()
  const session = await activeSession(ports, asked.session)
  return {
    request,
    client,
    session,
    pending,
    hint: pending?.hint ?? (await readHint(ports, request.idTokenHint)),
    loginHintDiffers: session !== null && (await loginHintDiffers(ports, { ...request, client, session })),
    providers: openProviders(client, await ports.providers.all()),
    remembered: session && (await ports.consents.find(session.subject, client.clientId, now)),
    consentCanBeRemembered: canBeRemembered(client, address.redirectUri),
    now,
  }
}

async function activeSession(ports: Ports, session: Session | null): Promise<Session | null> {
  return session !== null && (await ports.userService.isActive(session.subject)) ? session : null
}
