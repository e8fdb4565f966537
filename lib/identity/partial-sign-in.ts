/** The return from a page at which the user service interrupted a sign-in. */
import type { Ports } from '#lib/ports/ports.ts'
import type { PartialSignIn } from '#lib/ports/sessions.ts'
import type { BrowserHandle, Handle, SessionHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { type Arrival, finishSignIn } from './finish-sign-in.ts'
import { type FindInteraction, hintsOf, type Interaction } from './interaction.ts'
import { openPending } from './sealed-pending.ts'
import type { ReturningSignInOutcome } from './sign-in-outcome.ts'

export type PartialReturn = {
  readonly partial: Handle<'partial'> | null
  readonly browser: BrowserHandle | null
  readonly previous: SessionHandle | null
  readonly findInteraction: FindInteraction
}

/** The page that says so carries a reference. */
function expired(ports: Ports, context: RequestContext) {
  ports.events.record({ name: 'sign_in_failed', outcome: 'failure', reason: 'request_expired' }, context)
  return { kind: 'expired', pending: null } as const
}

/**
 * Asks the user service again. It may let the person in, interrupt once more (with a new handle), or refuse.
 * The handle works once, and only in the browser that was interrupted.
 */
export async function completePartialSignIn(
  ports: Ports,
  input: PartialReturn,
  context: RequestContext,
): Promise<ReturningSignInOutcome> {
  const { partial, browser } = input
  if (partial === null || browser === null) return expired(ports, context)
  const digest = ports.hashing.digest(partial)
  const waiting = await ports.partialSignIns.find(digest, ports.hashing.digest(browser), ports.clock.now())
  if (waiting === null) return expired(ports, context)
  const pending = openPending(ports, waiting.sealedPending, `partial_sign_ins:pending:${digest}`)
  const interaction = pending === null ? null : await input.findInteraction(pending, browser)
  if (pending !== null && interaction === null) return expired(ports, context)
  // Taken before the user service is asked: of two returns at once only one may end in a session.
  if (!(await ports.partialSignIns.take(digest))) return expired(ports, context)
  const authentication = await ports.userService.completePartial(waiting.subject, hintsOf(interaction))
  const arrival = { ...arrivalOf(waiting, interaction), pending, browser, previous: input.previous }
  return { ...(await finishSignIn(ports, authentication, arrival, context)), pending }
}

function arrivalOf(
  waiting: PartialSignIn,
  interaction: Interaction | null,
): Pick<Arrival, 'idp' | 'remember' | 'authenticatedAt' | 'clientId'> {
  const clientId = interaction?.hints.client?.clientId ?? null
  const { idp, remember, authenticatedAt } = waiting
  return { idp, remember, authenticatedAt, clientId }
}
