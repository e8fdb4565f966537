/** The addresses of one client's pages. */
import { pageSegment } from '#lib/admin/page-segment.ts'

export function clientPath(clientId: string, tab = ''): string {
  const base = `/admin/clients/${pageSegment(clientId)}`
  return tab === '' ? base : `${base}/${tab}`
}
