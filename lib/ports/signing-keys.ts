/** The storage of the key ring. Private keys are passed in and out sealed: the store cannot sign. */

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
   * Counts the keys of one algorithm from 1. The store keeps one key per algorithm and generation, so that several
   * nodes that start or rotate at the same moment settle on one.
   */
  readonly generation: number
  readonly publicJwk: PublicJwk
  /** The private key, sealed at the place `signing_key:private_jwk:<kid>`. */
  readonly sealedPrivateJwk: string
  readonly createdAt: Date
  /** The key signs from this time on; it is published before. */
  readonly activatesAt: Date
  /** From this time on the key only verifies what it signed; `null`: not planned. */
  readonly retiresAt: Date | null
  /** From this time on the key is not published; `purge` removes it afterwards. */
  readonly expiresAt: Date | null
}

export type SigningKeys = {
  /** Every key that was not purged, oldest first. A change is seen by the next call, on every node. */
  readonly all: () => Promise<readonly StoredSigningKey[]>
  /** False when this generation of the algorithm already has a key: read `all` and use that one. */
  readonly create: (key: StoredSigningKey) => Promise<boolean>
  readonly schedule: (
    kid: string,
    ends: { readonly retiresAt: Date; readonly expiresAt: Date },
  ) => Promise<void>
}

/** One step of a change to the keys. The steps of one change belong into one transaction, in their order. */
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
 * RFC 8725 3.11: one kind of token is never accepted as another. `at+jwt` and `JWT` are the `typ` of access and ID tokens.
 * `access-jwt` and `identityserver3` are access tokens with the `typ` of an ID token; the rest of their headers is different.
 */
export type TokenKind = 'at+jwt' | 'JWT' | 'access-jwt' | 'identityserver3'

/** A public key; with a certificate it includes `x5t` and the list `x5c`. */
export type PublicJwk = Readonly<Record<string, string | readonly string[]>>

export type VerifyOptions = { readonly ignoreExpiry?: boolean; readonly skewSeconds?: number }

type VerifiedJwt = { readonly claims: Claims; readonly algorithm: SigningAlgorithm }

export type Signer = {
  /** Signs with the active key of the algorithm; returns a compact JWS with `kid` and `typ`. */
  readonly sign: (claims: Claims, kind: TokenKind, algorithm: SigningAlgorithm) => Promise<string>
  /**
   * Returns `null` unless a key of this server signed exactly this kind of token, `iss` is the issuer, and the times are
   * valid: `exp` is exact, `nbf` and `iat` may lie 60 s ahead. `skewSeconds` accepts more on both sides; an
   * `identityserver3` token always has 300 s.
   * Keys come only from the key ring: `jwk`, `jku`, `x5u` and `x5c` headers are ignored.
   * `ignoreExpiry` is for `id_token_hint`, which only identifies.
   */
  readonly verify: (jwt: string, kind: TokenKind, options?: VerifyOptions) => Promise<VerifiedJwt | null>
  /** The public keys that verifiers must know: next, active and retiring. */
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
