/** Addresses of the sign-in's own steps. They are links for `<a>`, never for prefetching. */
import { encodeForm } from '#lib/http/decode-form.ts'

/** What a sign-in takes along from step to step: the request that waits, or the page of ours to go back to. */
export type Carried = {
  readonly pending: string | null
  readonly back: string | null
  /** The person wants to be somebody else than who is signed in. */
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
