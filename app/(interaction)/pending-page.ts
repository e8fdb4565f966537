/** What the pages of a pending authorization request share. */
import type { Query } from '#lib/http/page-frame.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { type PendingHandle, parseHandle } from '#lib/protocol/ids.ts'

export function pendingHandle(query: Query): PendingHandle | null {
  return parseHandle('pending', query.pending)
}

/**
 * Where a page redirects when its request is not pending: only the authorization endpoint knows whether that means
 * another page, the way back to the app, or an expired request.
 */
export function resumeReply(query: Query): Reply {
  return seeOther(`/connect/authorize/resume?pending=${encodeURIComponent(query.pending ?? '')}`)
}
