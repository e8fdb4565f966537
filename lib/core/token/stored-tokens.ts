/** Finds stored tokens by the text that a client presents: tokens of this server, and imported tokens of another server. */
import type { Ports } from '#lib/ports/ports.ts'
import { type Digest, handlePrefixes, hasHandlePrefix, parseHandle } from '#lib/protocol/ids.ts'

export type StoredTokenKind = 'accessToken' | 'refreshToken'

/**
 * Returns the kinds of stored token that a text can be: both for a text that may be an imported token, which does not
 * show its kind; none for a self-contained token and for any other text.
 */
export function storedKindsOf(value: string): readonly StoredTokenKind[] {
  if (hasHandlePrefix('accessToken', value)) return ['accessToken']
  if (hasHandlePrefix('refreshToken', value)) return ['refreshToken']
  return canBeImported(value) ? ['refreshToken', 'accessToken'] : []
}

/**
 * Whether a text can be a token of IdentityServer: 32 random bytes or a GUID without hyphens; its extensions can make
 * other tokens.
 */
function canBeImported(value: string): boolean {
  return (
    /^[A-Za-z0-9_-]{32,100}$/.test(value) &&
    !Object.values(handlePrefixes).some(prefix => value.startsWith(prefix))
  )
}

/** The suffix that IdentityServer4 appends to a token before it hashes it. */
const identityServer4Suffix = { accessToken: ':reference_token', refreshToken: ':refresh_token' } as const

/**
 * Returns the digests under which a token of this kind may be stored: one for a token of this server, two for a text
 * that may be an imported token, otherwise none.
 */
function digestsOf(
  { hashing }: Pick<Ports, 'hashing'>,
  kind: StoredTokenKind,
  value: string,
): readonly Digest[] {
  const own = parseHandle(kind, value)
  if (own !== null) return [hashing.tokenDigest(own)]
  if (!canBeImported(value)) return []
  return [hashing.digest(value), hashing.digest(value + identityServer4Suffix[kind])]
}

/** Finds a stored token, and returns it with the digest by which it was found; `null` if there is none. */
export async function findStoredToken<T>(
  ports: Pick<Ports, 'hashing'>,
  { kind, value }: { readonly kind: StoredTokenKind; readonly value: string },
  find: (digest: Digest) => Promise<T | null>,
): Promise<{ readonly token: T; readonly digest: Digest } | null> {
  for (const digest of digestsOf(ports, kind, value)) {
    const token = await find(digest)
    if (token !== null) return { token, digest }
  }
  return null
}
