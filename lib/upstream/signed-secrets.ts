/**
 * Client secrets that the operator's private key signs, as Apple requires: a JWT for ES256 (RFC 7518 3.4), made when it is needed
 * and used again until it is about to expire.
 */
import { createPrivateKey, sign } from 'node:crypto'
import { signedSecretSeconds } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import { signingKeyBytes } from '#lib/protocol/registration/provider-rules.ts'

type SignedSecret = { readonly settings: string; readonly secret: string; readonly renewedAt: number }

export type SignedSecrets = (provider: IdentityProvider) => string

export function createSignedSecrets(clock: Clock): SignedSecrets {
  const known = new Map<string, SignedSecret>()
  return provider => {
    const { scheme, issuer, clientId, teamId, keyId, clientSecret } = provider
    const settings = JSON.stringify([issuer, clientId, teamId, keyId, clientSecret])
    const now = Math.floor(clock.now().getTime() / 1000)
    const found = known.get(scheme)
    if (found !== undefined && found.settings === settings && isCurrent(found, now)) return found.secret
    const secret = signSecret(provider, now)
    known.set(scheme, { settings, secret, renewedAt: now + signedSecretSeconds.renewedAfter })
    return secret
  }
}

function isCurrent({ renewedAt }: SignedSecret, now: number): boolean {
  // A clock that was set back must not keep a secret from the future
  return now < renewedAt && now >= renewedAt - signedSecretSeconds.renewedAfter
}

function signSecret(
  { issuer, clientId, teamId, keyId, clientSecret }: IdentityProvider,
  now: number,
): string {
  const bytes = signingKeyBytes(clientSecret ?? '')
  if (bytes === null) throw new OauthError('signing_key_unusable')
  const header = { alg: 'ES256', kid: keyId }
  const claims = {
    iss: teamId,
    iat: now,
    exp: now + signedSecretSeconds.lifetime,
    aud: issuer,
    sub: clientId,
  }
  const content = [header, claims]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${content}.${es256(content, bytes).toString('base64url')}`
}

function es256(content: string, pkcs8: Buffer): Buffer {
  try {
    const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
    return sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' })
  } catch {
    // The message of the library could contain parts of the key
    throw new OauthError('signing_key_unusable')
  }
}
