/** The addresses of one client's pages. */
export function clientPath(clientId: string, tab = ''): string {
  const base = `/admin/clients/${encodeURIComponent(clientId)}`
  return tab === '' ? base : `${base}/${tab}`
}
