/** The addresses of one scope's pages. */
import { pageSegment } from '#lib/admin/page-segment.ts'

export function scopePath(name: string, tab = ''): string {
  const base = `/admin/scopes/${pageSegment(name)}`
  return tab === '' ? base : `${base}/${tab}`
}
