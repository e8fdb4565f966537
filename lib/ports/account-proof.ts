/** During a sign-in, the account may be disabled or its password replaced (SE-06, RT-08). */
import type { Digest } from '#lib/protocol/ids.ts'
import type { Hashing } from './environment.ts'
import type { StoredUser } from './users.ts'

/** Whether what a sign-in proved is still so; `null`: our own store does not keep this person. */
export type AccountProof = (account: StoredUser | null) => boolean

/**
 * Not locked, and the password still the one whose hash was proved. Without a proved hash (the person came from a
 * provider, or is kept elsewhere) only a locked account is refused.
 */
export function stillProven(hashing: Pick<Hashing, 'digest'>, provenHash: Digest | null): AccountProof {
  return account => {
    if (account === null) return provenHash === null
    if (!account.enabled) return false
    return provenHash === null || digestOfHash(hashing, account) === provenHash
  }
}

/** `null` for an account without a password. */
export function digestOfHash(
  hashing: Pick<Hashing, 'digest'>,
  { passwordHash }: Pick<StoredUser, 'passwordHash'>,
): Digest | null {
  return passwordHash === null ? null : hashing.digest(passwordHash)
}
