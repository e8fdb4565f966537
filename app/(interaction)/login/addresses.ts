/** Addresses of the sign-in's own steps. They are links for `<a>`, never for prefetching. */

export function withPending(path: string, pending: string | null): string {
  return pending === null ? path : `${path}?pending=${encodeURIComponent(pending)}`
}

export function externalStart(scheme: string, pending: string | null): string {
  return withPending(`/login/external/${encodeURIComponent(scheme)}/start`, pending)
}
