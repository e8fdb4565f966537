/** Addresses of the sign-in's own steps. They are links for `<a>`, never for prefetching. */
import { encodeForm } from '#lib/http/read-params.ts'

/** The parameters of the steps of a sign-in: the pending request, or the page to return to. */
export type Carried = {
  readonly pending: string | null
  readonly back: string | null
  /** The user wants to use a different account from the signed-in one. */
  readonly account?: 'other' | null
}

export function withCarried(path: string, carried: Carried): string {
  const query = encodeForm(carriedFields(carried))
  return query === '' ? path : `${path}?${query}`
}

export function externalStart(scheme: string, carried: Carried): string {
  return withCarried(`/login/external/${encodeURIComponent(scheme)}/start`, carried)
}

export function carriedFields({
  pending,
  back,
  account = null,
}: Carried): ReadonlyArray<readonly [string, string]> {
  const fields = [
    ['pending', pending],
    ['back', back],
    ['account', account],
  ] as const
  return fields.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
}
