/** Password hashing, and the reasons why a password may not be set. */
import type { HashKind } from '#lib/protocol/registration/imported-hashes.ts'
import type { CheckCaller } from './check-caller.ts'

/** The reasons why a password may not be set, in the order in which they are reported. */
export const passwordFlawNames = [
  'not_unicode',
  'too_short',
  'too_long',
  'repeats',
  'personal',
  'common',
  'breached',
] as const

export type PasswordFlaw = (typeof passwordFlawNames)[number]

/** The rules for a new password that depend on the user. */
export type PasswordRules = {
  /** The number of characters that the password must have. */
  readonly minimum: number
  /** Words that belong to the user or the site (AU-02). */
  readonly words: readonly string[]
}

/** Password hashing: Argon2id, PHC strings, bounded queues. Imported hashes are only verified. */
export type Passwords = {
  /** Hashes a new password. `caller`: by default one who has proven their identity; with a page for strangers, the stranger. */
  readonly hash: (password: string, caller?: CheckCaller) => Promise<string>
  /**
   * Verifies a password. `stored: null`, or a text that is not a hash, takes as long as a hash of this server and never
   * matches. Throws `temporarily_unavailable` when too many checks wait. Without `caller` the check waits together with
   * those of unknown callers.
   */
  readonly verify: (password: string, stored: string | null, caller?: CheckCaller) => Promise<boolean>
  /**
   * Returns the hash to verify for a name without a password, so that the time does not reveal that there is none:
   * names get imported hashes of each kind as often as users have them, and a name gets the same one while the kinds
   * are the same. `null`: a hash of this server.
   */
  readonly substituteHash: (name: string) => string | null
  /** Sets the kinds of imported hashes that users have. */
  readonly expectImported: (kinds: readonly HashKind[]) => void
  /** Whether a password can be hashed: it is valid Unicode, and not too long. */
  readonly isHashable: (password: string) => boolean
  /** Whether the hash was imported, or made with weaker parameters than today's. */
  readonly needsRehash: (stored: string) => boolean
  /** Returns all flaws of a new password. Not called at sign-in. */
  readonly flawsOf: (password: string, rules: PasswordRules) => Promise<readonly PasswordFlaw[]>
}
