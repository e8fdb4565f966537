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
import {
  type BrowserHandle,
  clientIdSchema,
  type PendingHandle,
  type SessionHandle,
} from '#lib/protocol/ids.ts'
import { readCurrentSession } from './session.ts'

/** The handles that the browser sent. */
type Carried = {
  readonly pending: PendingHandle | null
  readonly browser: BrowserHandle | null
  readonly session: SessionHandle | null
}

/** Reads the request and its user for a page. */
export async function readInteraction(
  ports: Ports,
  { pending, browser, session }: Carried,
): Promise<SignedInUser & { readonly interaction: PendingInteraction | null }> {
  const interaction = await findInteraction(ports, pending, browser)
  const found = await readCurrentSession(ports, session, interaction?.client.clientId)
  return { ...(found ?? { session: null }), interaction }
}

/** Reads the request and its user to continue it. */
export async function readPendingRequest(
  ports: Ports,
  { pending, browser, session }: Carried,
): Promise<SignedInUser & { readonly opened: OpenedRequest | null }> {
  const opened = await findPendingRequest(ports, { pending, browser })
  const { data: clientId } = clientIdSchema.safeParse(opened?.parameters.client_id)
  const found = await readCurrentSession(ports, session, clientId)
  return { ...(found ?? { session: null }), opened }
}
