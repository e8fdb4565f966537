/** The flaws of a new password in words for operators and administrators. */
import { passwordCharacters } from '#lib/config/limits.ts'
import type { PasswordFlaw, PasswordRules, Passwords } from '#lib/ports/passwords.ts'

/** Returns everything that is wrong with a password, as the end of a sentence; `null` if it may be set. */
export async function passwordProblem(
  flawsOf: Passwords['flawsOf'],
  password: string,
  rules: PasswordRules,
): Promise<string | null> {
  const flaws = await flawsOf(password, rules)
  return flaws.length === 0 ? null : inWords.format(flaws.map(flaw => endings[flaw](rules)))
}

const inWords = new Intl.ListFormat('en')

const endings: Readonly<Record<PasswordFlaw, (rules: PasswordRules) => string>> = {
  not_unicode: () => 'must be valid Unicode',
  too_short: ({ minimum }) => `must have at least ${minimum} characters`,
  too_long: () => `must not be longer than ${passwordCharacters.maximumBytes} bytes`,
  repeats: () => 'must not repeat one or two characters',
  personal: () => 'must not be a name or word that belongs to you or this site',
  common: () => 'is one of the passwords that attackers try first',
  breached: () => 'was found in a data breach',
}
