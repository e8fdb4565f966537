/**
 * Tokens whose signature was verified before. APIs ask about the same token again and again, and verifying a signature is
 * expensive. What can change (times, key, revocation) is checked at every use.
 */
import { hash } from 'node:crypto'
import type { SignedContent } from './verify-jws.ts'

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
