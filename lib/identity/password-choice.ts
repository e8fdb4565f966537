/** Checks a new password, typed twice. */
import type { Ports } from '#lib/ports/ports.ts'
import type { PasswordFlaw } from '#lib/ports/users.ts'

export type PasswordChoice = {
  readonly password: string
  readonly again: string
}

export type ChoiceProblem = PasswordFlaw | 'missing' | 'differs' | 'same'

/** The password cannot be used; the user can choose again. */
export type UnfitPassword<Why extends string> = {
  readonly kind: 'unfit'
  readonly why: readonly Why[]
  readonly retryAfterSeconds: number
}

export function unfit<Why extends string>(why: readonly Why[], retryAfterSeconds = 0): UnfitPassword<Why> {
  return { kind: 'unfit', why, retryAfterSeconds }
}

/**
 * Returns every fault of the password together, so that the user does not learn them one at a time. Computes no hash:
 * the caller checks whether the password equals the previous one. `words`: words about the user (AU-02).
 */
export async function problemsOfChoice(
  { passwords }: Pick<Ports, 'passwords'>,
  { password, again }: PasswordChoice,
  words: readonly string[],
): Promise<readonly ChoiceProblem[]> {
  if (password === '') return ['missing']
  const flaws = await passwords.flawsOf(password, words)
  if (again === '') return ['missing', ...flaws]
  return password === again ? flaws : ['differs', ...flaws]
}
