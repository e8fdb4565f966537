/** Reads the bearer token of a request (RFC 6750 2). */

export type BearerRequest = {
  /** The raw `Authorization` header. */
  readonly authorization: string | null
  /** `access_token` of a form body. A query is never read: addresses end up in logs. */
  readonly bodyToken: string | null
}

export type PresentedToken =
  | { readonly kind: 'none' }
  | { readonly kind: 'two' }
  | { readonly kind: 'one'; readonly value: string }

/** A different scheme in the header is not a token. The same token twice is still two. */
export function presentedToken({ authorization, bodyToken }: BearerRequest): PresentedToken {
  const headerToken = authorization === null ? null : bearerOf(authorization)
  const given = [headerToken, bodyToken].filter(value => value !== null && value !== '')
  const [value] = given
  if (given.length > 1) return { kind: 'two' }
  return typeof value === 'string' ? { kind: 'one', value } : { kind: 'none' }
}

// RFC 9110 11.1: scheme names have no case
function bearerOf(authorization: string): string | null {
  return /^bearer(?: +(.*))?$/i.exec(authorization.trim())?.[1] ?? null
}
