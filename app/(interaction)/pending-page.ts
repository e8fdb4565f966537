/** Functions for the pages of a pending authorization request. */
import type { Query } from '#lib/http/page-frame.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import { type PendingHandle, parseHandle } from '#lib/protocol/ids.ts'

export function pendingHandle(query: Query): PendingHandle | null {
  return parseHandle('pending', query.pending)
}

/**
 * Redirects to the authorization endpoint if a page cannot be shown for its request: that endpoint knows whether the request
 * was answered, has expired, or needs a different page.
 */
export function resumeReply(query: Query): Reply {
  return seeOther(`/connect/authorize/resume?pending=${encodeURIComponent(query.pending ?? '')}`)
}
