/** What the pages of a pending authorization request share. */
import type { PageExchange } from '#app/_ui/hosted-route.ts'
import { findInteraction } from '#lib/core/authorize/pending.ts'
import type { Query } from '#lib/http/page-frame.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { type PendingHandle, parseHandle } from '#lib/protocol/ids.ts'

export function pendingHandle(query: Query): PendingHandle | null {
  return parseHandle('pending', query.pending)
}

/** The request that the page belongs to; `null` when it is not pending in this browser. */
export async function readPending({ query, cookies, services }: PageExchange) {
  const handle = pendingHandle(query)
  const pending = await findInteraction(services.pendingPorts(), handle, cookies.browser)
  return pending === null || handle === null ? null : { ...pending, handle }
}

/**
 * Where a page redirects when its request is not pending: only the authorization endpoint knows whether that means
 * another page, the way back to the app, or an expired request.
 */
export function resumeReply(query: Query): Reply {
  return seeOther(`/connect/authorize/resume?pending=${encodeURIComponent(query.pending ?? '')}`)
}
