/** The address of one request's story. */
export function storyPath(referenceId: string): string {
  return `/admin/events/requests/${encodeURIComponent(referenceId)}`
}
