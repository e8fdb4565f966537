/** Whom the app believes to be signed in, from `id_token_hint`. */
import type { Ports } from '#lib/ports/ports.ts'

export type SubjectHint =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'subject'; readonly subject: string }

/** OpenID Connect Core 3.1.2.1: an expired hint still names its person. */
export async function readHint(ports: Ports, hint: string | null): Promise<SubjectHint> {
  if (hint === null) return { kind: 'absent' }
  const verified = await ports.signer.verify(hint, 'JWT', { ignoreExpiry: true })
  const subject = verified?.claims.sub
  return typeof subject === 'string' ? { kind: 'subject', subject } : { kind: 'unreadable' }
}
