/** The address of one request's trace. */
export function requestTracePath(requestId: string): string {
  return `/admin/events/requests/${encodeURIComponent(requestId)}`
}
