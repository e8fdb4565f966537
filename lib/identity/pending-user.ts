/**
 * Reads a pending request and the user of its browser. The request is read first, so that the session can be read
 * together with the user's consent for its client.
 */
import type { SignedInUser } from '#lib/core/authorize/authorize.ts'
import {
  findInteraction,
  findPendingRequest,
  type OpenedRequest,
  type PendingInteraction,
} from '#lib/core/authorize/pending.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { type BrowserHandle, clientIdSchema, type PendingHandle } from '#lib/protocol/ids.ts'
import { type SentSessions, userOfPending } from './browser-accounts.ts'

/** The handles that the browser sent. */
type Carried = SentSessions & {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
}

/** Reads the request and its user for a page. */
export async function readInteraction(
  ports: Ports,
  { pending, browser, ...sent }: Carried,
): Promise<SignedInUser & { readonly interaction: PendingInteraction | null }> {
  const interaction = await findInteraction(ports, pending, browser)
  const found = await userOfPending(ports, sent, interaction?.opened ?? null, interaction?.client.clientId)
  return { ...(found ?? { session: null }), interaction }
}

/** Reads the request and its user to continue it. */
export async function readPendingRequest(
  ports: Ports,
  { pending, browser, ...sent }: Carried,
): Promise<SignedInUser & { readonly opened: OpenedRequest | null }> {
  const opened = await findPendingRequest(ports, { pending, browser })
  const { data: clientId } = clientIdSchema.safeParse(opened?.parameters.client_id)
  const found = await userOfPending(ports, sent, opened, clientId)
  return { ...(found ?? { session: null }), opened }
}
