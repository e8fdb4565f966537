import { pageSegment } from '#lib/admin/page-segment.ts'

/** The address of one person. */
export function userPath(subject: string): string {
  return `/admin/users/${pageSegment(subject)}`
}
