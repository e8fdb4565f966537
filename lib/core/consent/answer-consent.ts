/** Takes down what the person answered on the consent page. Nothing is issued here: `resume` does that. */
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { ScopeName } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { flowOf } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import { findLivePending, findPending, type PendingInteraction } from '../authorize/pending.ts'
import type { WaitingRequest } from '../authorize/waiting-request.ts'
import { canBeRemembered, isRequired } from './consent-rule.ts'
import type { ConsentInput } from './consent-view.ts'

export type ConsentAnswerInput = ConsentInput & {
  /** The session whose user the form named, as posted. */
  readonly shownSessionId: string | null
  readonly decision: 'allow' | 'deny'
  /** The ticked boxes, as posted. */
  readonly scopes: readonly string[]
  readonly remember: boolean
}

/** `shown_to_another`: another user signed in since the page was shown, so it must be shown again. */
export type ConsentResult = 'recorded' | 'nothing_selected' | 'shown_to_another' | 'expired'

/**
 * `recorded`: continue at `resume`, which checks the request again, such as for a sign-in when the session has ended in
 * the meantime. Required scopes are always granted; scopes that were not requested never are.
 */
export async function answerConsent(
  ports: Ports,
  input: ConsentAnswerInput,
  context: RequestContext,
): Promise<ConsentResult> {
  const pending = await findLivePending(ports, input)
  const interaction = await findPending(ports, input.pending, input.browser)
  if (pending === null || interaction === null) return 'expired'
  const { session } = input
  if (session === null) return 'recorded'
  if (input.shownSessionId !== session.sessionId) return 'shown_to_another'
  const answered = { pending, interaction, session }
  if (input.decision === 'deny') return deny(ports, answered, context)
  const scopes = await grantedScopes(ports, interaction.request.scopes, input.scopes)
  if (scopes.every(scope => scope === offlineScope)) return 'nothing_selected'
  return allow(ports, { ...answered, scopes, remember: input.remember }, context)
}

type Answered = {
  readonly pending: WaitingRequest
  readonly interaction: PendingInteraction
  readonly session: Session
}

async function deny(
  ports: Ports,
  { pending, interaction, session }: Answered,
  context: RequestContext,
): Promise<'recorded'> {
  const { subject, sessionId } = session
  const answer = { sessionId, decision: 'deny', scopes: [], remember: false } as const
  await ports.pendingRequests.recordConsent(pending.digest, answer)
  const { clientId } = interaction.client
  const flow = flowOf(pending.digest)
  ports.events.record({ name: 'consent_denied', outcome: 'success', clientId, subject, flow }, context)
  return 'recorded'
}

async function grantedScopes(
  ports: Ports,
  asked: readonly ScopeName[],
  ticked: readonly string[],
): Promise<readonly ScopeName[]> {
  const registered = (await ports.scopes.all()).map(({ scope }) => scope)
  const required = registered.filter(isRequired).map(scope => scope.name)
  return asked.filter(scope => ticked.includes(scope) || required.includes(scope))
}

type Allowed = Answered & { readonly scopes: readonly ScopeName[]; readonly remember: boolean }

async function allow(ports: Ports, allowed: Allowed, context: RequestContext): Promise<'recorded'> {
  const { pending, interaction, session, scopes, remember } = allowed
  const { subject, sessionId } = session
  const answer = { sessionId, decision: 'allow', scopes, remember } as const
  await ports.pendingRequests.recordConsent(pending.digest, answer)
  if (interaction.client.allowRememberConsent) await rememberOrForget(ports, allowed)
  const details = { scope: scopes.join(' '), remember }
  const { clientId } = interaction.client
  const flow = flowOf(pending.digest)
  ports.events.record(
    { name: 'consent_granted', outcome: 'success', clientId, subject, flow, details },
    context,
  )
  return 'recorded'
}

async function rememberOrForget(
  ports: Ports,
  { interaction, session, scopes, remember }: Allowed,
): Promise<void> {
  const { client, request, address } = interaction
  const { subject } = session
  if (!remember) return ports.consents.remove(subject, client.clientId)
  if (!canBeRemembered(client, address.redirectUri)) return
  const now = ports.clock.now()
  const earlier = await ports.consents.find(subject, client.clientId, now)
  // What this request did not ask about stays as it was; what it asked about is as answered now
  const untouched = (earlier?.scopes ?? []).filter(scope => !request.scopes.includes(scope))
  const fresh =
    client.consentLifetimeSeconds === null ? null : secondsAfter(now, client.consentLifetimeSeconds)
  await ports.consents.store({
    subject,
    clientId: client.clientId,
    scopes: [...untouched, ...scopes],
    createdAt: earlier?.createdAt ?? now,
    updatedAt: now,
    expiresAt: untouched.length === 0 ? fresh : sooner(fresh, earlier?.expiresAt ?? null),
  })
}

/** CN-02: the word for one scope does not prolong another's; all of them end together, with the first. */
function sooner(left: Date | null, right: Date | null): Date | null {
  if (left === null || right === null) return left ?? right
  return left < right ? left : right
}
