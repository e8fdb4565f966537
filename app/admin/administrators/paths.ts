import { pageSegment } from '#lib/admin/page-segment.ts'

/** The page of one administrator. */
export function administratorPath(subject: string): string {
  return `/admin/administrators/${pageSegment(subject)}`
}
