/** `id_token_hint`: an ID token by which a client names a user (OpenID Connect Core 3.1.2.1, RP-Initiated Logout 2). */
import type { Ports } from '#lib/ports/ports.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { isTooLong } from '#lib/protocol/wire/parameters.ts'

/** A verified hint. `audience`: the clients to which the token was issued. It proves nothing for other clients. */
export type IdTokenHint = { readonly subject: string; readonly audience: readonly JsonValue[] }

/**
 * Returns the verified hint; `null` if it is too long or not an ID token of this server. An expired hint is accepted,
 * because it only identifies the user: RP-Initiated Logout 2 permits it for sign-out, and at the authorization endpoint
 * the user must be signed in here anyway.
 */
export async function readIdTokenHint(
  { signer }: Pick<Ports, 'signer'>,
  hint: string,
): Promise<IdTokenHint | null> {
  if (isTooLong('id_token_hint', hint)) return null
  const verified = await signer.verify(hint, 'JWT', { ignoreExpiry: true })
  const { sub, aud } = verified?.claims ?? {}
  if (typeof sub !== 'string' || aud === undefined) return null
  return { subject: sub, audience: Array.isArray(aud) ? aud : [aud] }
}
