/** Checks a new password, typed twice. */

import type { PasswordFlaw } from '#lib/ports/passwords.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import type { Claims } from '#lib/protocol/claims.ts'
import { minimumPasswordLength } from '#lib/protocol/registration/policies.ts'
import { wordsAbout } from '#lib/protocol/text/user-names.ts'

export type PasswordChoice = {
  readonly password: string
  readonly again: string
}

export type ChoiceProblem = PasswordFlaw | 'missing' | 'missing_again' | 'differs' | 'same'

/** The password cannot be used; the user can choose again. */
export type UnfitPassword<Why extends string> = {
  readonly kind: 'unfit'
  readonly why: readonly Why[]
  readonly retryAfterSeconds: number
}

export function unfit<Why extends string>(why: readonly Why[], retryAfterSeconds = 0): UnfitPassword<Why> {
  return { kind: 'unfit', why, retryAfterSeconds }
}

/** The user whose password is chosen. */
export type PasswordOwner = {
  /** Words about the user, of which the password must not consist (AU-02). */
  readonly words: readonly string[]
  /** The claims in the store of this server, which decide whether a second factor is required; `null`: none are stored. */
  readonly claims: Claims | null
}

/** The owner of a password in the store of this server, or of a new account there. */
export function ownerOf(user: Pick<StoredUser, 'username' | 'claims'>): PasswordOwner {
  return { words: wordsAbout(user), claims: user.claims }
}

/** The number of characters that a new password of this user must have. */
export async function shortestPassword(
  { policies }: Pick<Ports, 'policies'>,
  { claims }: Pick<PasswordOwner, 'claims'>,
): Promise<number> {
  return minimumPasswordLength(await policies.current(), claims)
}

/**
 * Returns every fault of the password together, so that the user does not learn them one at a time. Computes no hash:
 * the caller checks whether the password equals the previous one.
 */
export async function problemsOfChoice(
  ports: Pick<Ports, 'passwords' | 'policies'>,
  { password, again }: PasswordChoice,
  owner: PasswordOwner,
): Promise<readonly ChoiceProblem[]> {
  if (password === '') return again === '' ? ['missing', 'missing_again'] : ['missing']
  const { words } = owner
  const minimum = await shortestPassword(ports, owner)
  const flaws = await ports.passwords.flawsOf(password, { words, minimum })
  if (again === '') return ['missing_again', ...flaws]
  return password === again ? flaws : ['differs', ...flaws]
}
