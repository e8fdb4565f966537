/** The addresses of one scope's pages. */
export function scopePath(name: string, tab = ''): string {
  const base = `/admin/scopes/${encodeURIComponent(name)}`
  return tab === '' ? base : `${base}/${tab}`
}
