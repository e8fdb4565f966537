/** The addresses of one provider's pages. */
import { pageSegment } from '#lib/admin/page-segment.ts'

export function providerPath(scheme: string, tab = ''): string {
  const base = `/admin/providers/${pageSegment(scheme)}`
  return tab === '' ? base : `${base}/${tab}`
}
