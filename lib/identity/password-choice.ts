/** Checks a new password, typed twice. */
import type { Ports } from '#lib/ports/ports.ts'
import type { PasswordFlaw, StoredUser } from '#lib/ports/users.ts'
import { wordsAbout } from '#lib/protocol/text/user-names.ts'

export type PasswordChoice = {
  readonly password: string
  readonly again: string
}

export type ChoiceProblem = PasswordFlaw | 'missing' | 'differs' | 'same'

/** Nothing was changed; the user can try again. */
export type UnfitPassword<Why extends string> = {
  readonly kind: 'unfit'
  readonly why: Why
  readonly retryAfterSeconds: number
}

export function unfit<Why extends string>(why: Why, retryAfterSeconds = 0): UnfitPassword<Why> {
  return { kind: 'unfit', why, retryAfterSeconds }
}

/**
 * Returns the reason why the password cannot be used. Computes no hash: the caller checks whether it equals the previous
 * password.
 */
export async function problemOfChoice(
  { passwords }: Pick<Ports, 'passwords'>,
  { password, again }: PasswordChoice,
  user: StoredUser,
): Promise<Exclude<ChoiceProblem, 'same'> | null> {
  if (password === '' || again === '') return 'missing'
  return password === again ? passwords.flawOf(password, wordsAbout(user)) : 'differs'
}
