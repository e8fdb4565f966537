/** What a person typed as their new password, twice, and what may be wrong with it. */
import type { Ports } from '#lib/ports/ports.ts'
import type { PasswordFlaw, StoredUser } from '#lib/ports/users.ts'
import { wordsAbout } from '#lib/protocol/text/user-names.ts'

export type PasswordChoice = {
  readonly password: string
  /** Typed once more, since it may not be seen on the way. */
  readonly again: string
}

export type ChoiceProblem = PasswordFlaw | 'missing' | 'differs' | 'same'

/** Computes no hash: the caller checks whether it equals the previous password. */
export async function problemOfChoice(
  { passwords }: Pick<Ports, 'passwords'>,
  { password, again }: PasswordChoice,
  user: StoredUser,
): Promise<Exclude<ChoiceProblem, 'same'> | null> {
  if (password === '' || again === '') return 'missing'
  return password === again ? passwords.flawOf(password, wordsAbout(user)) : 'differs'
}
