/**
 * The storage of the key ring, and signing and verifying with it. The store receives private keys only sealed, so it
 * cannot sign.
 */

import type { Claims } from '#lib/protocol/claims.ts'
import {
  type AccessTokenFormat,
  accessTokenFormats,
  type SigningAlgorithm,
} from '#lib/protocol/vocabulary.ts'

export type StoredSigningKey = {
  readonly kid: string
  readonly algorithm: SigningAlgorithm
  /**
   * The number of the key among those of its algorithm, from 1. The store accepts one key per algorithm and generation,
   * so that several nodes that start or rotate at the same time use the same one.
   */
  readonly generation: number
  readonly publicJwk: PublicJwk
  /** The private key, sealed with the context `signing_key:private_jwk:<kid>`. */
  readonly sealedPrivateJwk: string
  readonly createdAt: Date
  /** The time from which the key signs; it is published earlier. */
  readonly activatesAt: Date
  /** The time from which the key only verifies; `null`: not planned. */
  readonly retiresAt: Date | null
  /** The time from which the key is not published; the purge deletes it afterwards. */
  readonly expiresAt: Date | null
}

export type SigningKeys = {
  /** Returns every key that was not purged, oldest first. A change is effective at the next call, on every node. */
  readonly all: () => Promise<readonly StoredSigningKey[]>
  /** Stores a key. Returns false when this generation of the algorithm already has a key, which the caller must use. */
  readonly create: (key: StoredSigningKey) => Promise<boolean>
  readonly schedule: (
    kid: string,
    ends: { readonly retiresAt: Date; readonly expiresAt: Date },
  ) => Promise<void>
}

/** One step of a change to the keys. The steps of one change must be in one transaction, in their order. */
export type KeyWrite =
  | { readonly kind: 'create_key'; readonly key: StoredSigningKey }
  | {
      readonly kind: 'schedule_key'
      readonly kid: string
      readonly retiresAt: Date
      readonly expiresAt: Date
    }
  | { readonly kind: 'remove_key'; readonly kid: string }

/**
 * The kinds of tokens. RFC 8725 3.11: one kind is never accepted as another. `at+jwt` and `JWT` are the `typ` of access
 * and ID tokens. `access-jwt` and `identityserver3` are access tokens with the `typ` of an ID token; the order of their
 * header members is different.
 */
export type TokenKind = 'at+jwt' | 'JWT' | 'access-jwt' | 'identityserver3'

/** A public key; with a certificate it includes `x5t` and the list `x5c`. */
export type PublicJwk = Readonly<Record<string, string | readonly string[]>>

export type VerifyOptions = { readonly ignoreExpiry?: boolean; readonly skewSeconds?: number }

type VerifiedJwt = { readonly claims: Claims; readonly algorithm: SigningAlgorithm }

export type Signer = {
  /** Signs with the active key of the algorithm. Returns a compact JWS with `kid` and `typ`. */
  readonly sign: (claims: Claims, kind: TokenKind, algorithm: SigningAlgorithm) => Promise<string>
  /**
   * Returns the claims and the algorithm; `null` unless a key of this server signed exactly this kind of token, `iss`
   * is the issuer, there is an audience, and the times are valid: `exp` is exact, `nbf` and `iat` may be 60 s in the
   * future. `skewSeconds` accepts more in both directions; its default is 300 s for an `identityserver3` token. Keys
   * come only from the key ring: `jwk`, `jku`, `x5u` and `x5c` headers are ignored. `ignoreExpiry` is for
   * `id_token_hint`, which only identifies a user.
   */
  readonly verify: (jwt: string, kind: TokenKind, options?: VerifyOptions) => Promise<VerifiedJwt | null>
  /** Returns the public keys that verifiers must know: next, active and retiring. */
  readonly publicKeys: () => Promise<readonly PublicJwk[]>
  readonly algorithms: readonly SigningAlgorithm[]
}

/** The kind of a signed access token in each format. */
export const accessTokenKinds = {
  rfc9068: 'at+jwt',
  'rfc9068-jwt': 'access-jwt',
  identityserver3: 'identityserver3',
} as const

export type VerifiedAccessToken = { readonly claims: Claims; readonly format: AccessTokenFormat }

/** Verifies an access token of any format; `null` for every other text. */
export async function verifyAccessToken(
  signer: Pick<Signer, 'verify'>,
  jwt: string,
): Promise<VerifiedAccessToken | null> {
  for (const format of accessTokenFormats) {
    const verified = await signer.verify(jwt, accessTokenKinds[format])
    if (verified !== null) return { claims: verified.claims, format }
  }
  return null
}
