/** The authorization request that an app of this client would send, for a try by hand. */
import { clientMetadataSchema } from '#lib/protocol/client-metadata.ts'
import type { ClientView } from './client-document.ts'

/**
 * `null` for a client that nobody signs in to. `codeChallenge` is one whose verifier nobody knows: the code of a try must be
 * of no use to anybody.
 */
export function testAddress(
  issuer: string,
  { client_id: clientId, metadata }: ClientView,
  codeChallenge: string,
): string | null {
  const read = clientMetadataSchema.parse(metadata)
  const [redirectUri] = read.redirect_uris
  if (redirectUri === undefined) return null
  const responseType = read.grant_types.includes('authorization_code')
    ? 'code'
    : (read.response_types?.[0] ?? 'code')
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: responseType,
    scope: read.scope,
    state: 'test',
    nonce: 'test',
    ...(responseType === 'code' ? { code_challenge: codeChallenge, code_challenge_method: 'S256' } : {}),
  })
  return `${issuer}/connect/authorize?${query}`
}
