/** The address of one request's trace. */
export function requestTracePath(referenceId: string): string {
  return `/admin/events/requests/${encodeURIComponent(referenceId)}`
}
