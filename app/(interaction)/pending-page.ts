/** What the pages of a pending authorization request share. */
import type { PageExchange } from '#app/_ui/hosted-route.ts'
import type { SignedInUser } from '#lib/core/authorize/authorize.ts'
import { findInteraction } from '#lib/core/authorize/pending.ts'
import type { Query } from '#lib/http/page-frame.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { readCurrentSession } from '#lib/identity/session.ts'
import { type PendingHandle, parseHandle } from '#lib/protocol/ids.ts'

export function pendingHandle(query: Query): PendingHandle | null {
  return parseHandle('pending', query.pending)
}

/**
 * The request, `null` when it is not pending in this browser, and the user of the browser. In this order, so that the user's
 * consent for the client is read with the session.
 */
export async function readInteraction(
  { cookies, services }: Pick<PageExchange, 'cookies' | 'services'>,
  pending: PendingHandle | null,
) {
  const interaction = await findInteraction(services.pendingPorts(), pending, cookies.browser)
  const clientId = interaction?.client.clientId
  const found = await readCurrentSession(services.ports, cookies.session, clientId)
  const user: SignedInUser = found ?? { session: null }
  return { interaction, ...user }
}

/**
 * Where a page redirects when its request is not pending: only the authorization endpoint knows whether that means
 * another page, the way back to the app, or an expired request.
 */
export function resumeReply(query: Query): Reply {
  return seeOther(`/connect/authorize/resume?pending=${encodeURIComponent(query.pending ?? '')}`)
}
