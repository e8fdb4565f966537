/** Verifies an ID token as an app does: with a key set that was fetched, and not with this server's own keys. */
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'

type Expected = { readonly issuer: string; readonly audience: string; readonly nonce: string }

/** The difference of clocks that is accepted, in seconds. */
const clockTolerance = 30

/**
 * Whether a key of the set signed the token, and it has the issuer, the audience and the nonce, and has not expired (OpenID Connect
 * Core 3.1.3.7). `keySet`: a parsed response, which may be anything.
 */
export async function isValidIdToken(
  token: string,
  keySet: Readonly<Record<string, unknown>>,
  { issuer, audience, nonce }: Expected,
): Promise<boolean> {
  try {
    // jose checks that it is a key set
    const keys = createLocalJWKSet(keySet as unknown as JSONWebKeySet)
    const { payload } = await jwtVerify(token, keys, { issuer, audience, clockTolerance })
    return payload.nonce === nonce
  } catch {
    return false
  }
}
