/** The address of one person. */
export function userPath(subject: string): string {
  return `/admin/users/${encodeURIComponent(subject)}`
}
