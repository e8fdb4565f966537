/**
 * Tokens of ours whose form and signature were found right before. Resources ask about the same token again and again,
 * and a signature is dear. Whatever can change, the times, the key, a revocation, is looked at every time.
 */
import { hash } from 'node:crypto'
import type { TokenKind } from '#lib/ports/signer.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import type { SigningKey } from '../keys/signing-key.ts'

export type SignedContent = { readonly key: SigningKey; readonly kind: TokenKind; readonly claims: Claims }

export type VerifiedTokens = {
  readonly find: (jwt: string) => SignedContent | null
  readonly remember: (jwt: string, content: SignedContent) => void
}

/** Keeps the `size` most recently used, by digest: the tokens themselves are not kept. */
export function createVerifiedTokens(size: number): VerifiedTokens {
  const kept = new Map<string, SignedContent>()
  const put = (digest: string, content: SignedContent) => {
    kept.delete(digest)
    kept.set(digest, content)
  }
  return {
    find(jwt) {
      const digest = digestOf(jwt)
      const content = kept.get(digest)
      if (content === undefined) return null
      put(digest, content)
      return content
    },
    remember(jwt, content) {
      put(digestOf(jwt), content)
      const oldest = kept.keys().next()
      if (kept.size > size && !oldest.done) kept.delete(oldest.value)
    },
  }
}

function digestOf(jwt: string): string {
  return hash('sha256', jwt, 'base64url')
}
