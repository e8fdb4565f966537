/** Passwords that an admin handed out: good for choosing another one, and for nothing else. */
import type { Ports } from '#lib/ports/ports.ts'
import type { PartialSignIn } from '#lib/ports/sessions.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import { localProvider } from '#lib/protocol/vocabulary.ts'

/** A person with a password of ours that they did not choose. */
export type Holder = StoredUser & { readonly passwordHash: string }

/** Whose sign-in waits for a password of their own; `null` when it waits for something else, or for nobody. */
export async function holderOfHandedOut(
  { users }: Pick<Ports, 'users'>,
  { idp, subject }: Pick<PartialSignIn, 'idp' | 'subject'>,
): Promise<Holder | null> {
  if (idp !== localProvider) return null
  const user = await users.findBySubject(subject)
  if (user === null || !user.mustChangePassword || user.passwordHash === null) return null
  return { ...user, passwordHash: user.passwordHash }
}
