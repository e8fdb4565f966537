/** Temporary passwords, set by an admin: they only allow choosing a new one. */
import type { Ports } from '#lib/ports/ports.ts'
import type { PartialSignIn } from '#lib/ports/sessions.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'

/** A user with a temporary password. */
export type Holder = StoredUser & { readonly passwordHash: string }

/** The user whose sign-in waits for a new password; `null` if it waits for something else, or for no user. */
export async function holderOfHandedOut(
  { users }: Pick<Ports, 'users'>,
  { idp, subject }: Pick<PartialSignIn, 'idp' | 'subject'>,
): Promise<Holder | null> {
  if (idp !== localProvider) return null
  const user = await users.findBySubject(subject)
  if (user === null || !user.mustChangePassword || user.passwordHash === null) return null
  return { ...user, passwordHash: user.passwordHash }
}
