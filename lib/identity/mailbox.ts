/** The address to which mails about an account are sent. */
import type { Mailbox, StoredUser } from '#lib/ports/users.ts'
import { isMailAddress } from '#lib/protocol/text/mail-address.ts'

/** Returns the address of the `email` claim if `email_verified` is true (AU-18), and the language of the `locale` claim. */
export function mailboxOf(user: StoredUser | null): Mailbox | null {
  if (user === null) return null
  const { email, email_verified: isVerified, locale } = user.claims
  if (typeof email !== 'string' || isVerified !== true || !isMailAddress(email)) return null
  return { address: email, locale: typeof locale === 'string' ? locale : null }
}
