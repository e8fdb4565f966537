/** That in which a user changes the account. When it has ended, nothing that was begun in it takes effect. */
import type { Digest } from '#lib/protocol/ids.ts'

/**
 * The session, or the interrupted sign-in, that must still exist in the transaction of a change. A change without one does not
 * depend on any, such as a link by an address that a trusted provider has verified.
 */
export type ChangeSource = { readonly kind: 'session' | 'interrupted'; readonly digest: Digest }

/** Returns the source of a change that is made in a session. */
export function inSession({ digest }: { readonly digest: Digest }): ChangeSource {
  return { kind: 'session', digest }
}
