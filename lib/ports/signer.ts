import type { Claims } from '#lib/protocol/claims.ts'
import type { SigningAlgorithm } from '#lib/protocol/vocabulary.ts'

/** RFC 8725 3.11: one kind of token is never accepted as another. */
export type TokenKind = 'at+jwt' | 'JWT'

export type PublicJwk = Readonly<Record<string, string>>

export type VerifiedJwt = { readonly claims: Claims; readonly algorithm: SigningAlgorithm }

export type Signer = {
  /** Signs with the active key of the algorithm, as compact JWS with `kid` and `typ`. */
  readonly sign: (claims: Claims, kind: TokenKind, algorithm: SigningAlgorithm) => Promise<string>
  /**
   * `null` unless a key of this server signed exactly this kind of token, `iss` is the issuer, and the times are valid: `exp` is exact, `nbf` and
   * `iat` may lie 60 s ahead.
   * Keys come only from the key ring: `jwk`, `jku`, `x5u` and `x5c` headers are ignored.
   * `ignoreExpiry` is for `id_token_hint`, which only identifies.
   */
  readonly verify: (
    jwt: string,
    kind: TokenKind,
    options?: { ignoreExpiry?: boolean },
  ) => Promise<VerifiedJwt | null>
  /** The public keys that verifiers must know: next, active and retiring. */
  readonly publicKeys: () => Promise<readonly PublicJwk[]>
  readonly algorithms: readonly SigningAlgorithm[]
}
