/** The addresses of one provider's pages. */
export function providerPath(scheme: string, tab = ''): string {
  const base = `/admin/providers/${encodeURIComponent(scheme)}`
  return tab === '' ? base : `${base}/${tab}`
}
