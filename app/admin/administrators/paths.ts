/** The page of one administrator. */
export function administratorPath(subject: string): string {
  return `/admin/administrators/${encodeURIComponent(subject)}`
}
