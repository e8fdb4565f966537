/** An interrupted sign-in, looked up again: in the browser that was interrupted, in time, and never twice. */

import { digestOfHash } from '#lib/ports/account-proof.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { PartialSignIn } from '#lib/ports/sessions.ts'
import type { BrowserHandle, Handle, PendingHandle } from '#lib/protocol/ids.ts'
import type { Arrival } from './finish-sign-in.ts'
import type { FindInteraction, Interaction } from './interaction.ts'
import { openPending } from './sealed-pending.ts'

/** What the browser brings to prove that it was interrupted. */
export type PartialProof = {
  readonly partial: Handle<'partial'> | null
  readonly browser: BrowserHandle | null
  readonly findInteraction: FindInteraction
}

export type WaitingPartial = {
  readonly row: PartialSignIn
  readonly browser: BrowserHandle
  readonly pending: PendingHandle | null
  readonly interaction: Interaction | null
}

/**
 * `null` when it is over, was taken, belongs to another browser, the password that began it was replaced, or the request
 * behind it is gone.
 */
export async function findWaitingPartial(
  ports: Ports,
  { partial, browser, findInteraction }: PartialProof,
): Promise<WaitingPartial | null> {
  if (partial === null || browser === null) return null
  const digest = ports.hashing.digest(partial)
  const row = await ports.partialSignIns.find(digest, ports.hashing.digest(browser), ports.clock.now())
  if (row === null || !(await isStillProven(ports, row))) return null
  const pending = openPending(ports, row.sealedPending, `partial_sign_ins:pending:${digest}`)
  const interaction = pending === null ? null : await findInteraction(pending, browser)
  return pending !== null && interaction === null ? null : { row, browser, pending, interaction }
}

/** SE-06: another password ends what waits; what began with the old one and is written a moment later ends here. */
async function isStillProven(
  { users, hashing }: Ports,
  { subject, provenHash }: PartialSignIn,
): Promise<boolean> {
  if (provenHash === null) return true
  const account = await users.findBySubject(subject)
  return account !== null && digestOfHash(hashing, account) === provenHash
}

/** How the person came here, as the last step of every sign-in wants to know it. */
export function arrivalOf(
  { row, browser, pending, interaction }: WaitingPartial,
  previous: Arrival['previous'],
): Arrival {
  const { idp, remember, authenticatedAt, provenHash } = row
  const clientId = interaction?.hints.client?.clientId ?? null
  return { idp, remember, authenticatedAt, clientId, provenHash, pending, browser, previous }
}
