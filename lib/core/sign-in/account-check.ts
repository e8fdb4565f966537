/** Checks that an account is still enabled, and still has the password that a sign-in verified. */
import type { Hashing } from '#lib/ports/environment.ts'
import type { AccountCheck, StoredUser } from '#lib/ports/users.ts'
import type { Digest } from '#lib/protocol/ids.ts'

/**
 * Returns a check that the account exists, is enabled and still has the verified password hash. Without a verified hash,
 * only a locked account is refused.
 */
export function accountCheck(hashing: Pick<Hashing, 'digest'>, provenHash: Digest | null): AccountCheck {
  return account => {
    if (account === null) return provenHash === null
    if (!account.enabled) return false
    return provenHash === null || passwordHashDigest(hashing, account) === provenHash
  }
}

/** Returns the digest of an account's password hash; `null` without a password. */
export function passwordHashDigest(
  hashing: Pick<Hashing, 'digest'>,
  { passwordHash }: Pick<StoredUser, 'passwordHash'>,
): Digest | null {
  return passwordHash === null ? null : hashing.digest(passwordHash)
}
