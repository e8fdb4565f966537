/** The flaws of new passwords, which are not checked at sign-in. There are no composition rules (AU-01). */
import { passwordCharacters } from '#lib/config/limits.ts'
import { type PasswordFlaw, type Passwords, passwordFlawNames } from '#lib/ports/passwords.ts'
import {
  isCommonWord,
  isMadeOfNames,
  lengthOfPassword,
  repeatsCharacters,
} from '#lib/protocol/text/password-words.ts'
import type { BreachedList } from './breached-list.ts'

/** Creates the check. `breached`: the operator’s list of breached passwords. */
export function createPasswordFlaws(breached: BreachedList | null = null): Passwords['flawsOf'] {
  return async (password, { minimum, words }) => {
    if (!password.isWellFormed()) return ['not_unicode']
    const canonical = password.normalize('NFC')
    const isWordy = isCommonWord(canonical)
    const common = await commonPasswords()
    const isCommon = isWordy || common.has(canonical.toLowerCase())
    const found: Readonly<Record<PasswordFlaw, boolean>> = {
      not_unicode: false,
      too_short: lengthOfPassword(canonical) < minimum,
      too_long: Buffer.byteLength(canonical) > passwordCharacters.maximumBytes,
      repeats: repeatsCharacters(canonical),
      personal: !isWordy && isMadeOfNames(canonical, words),
      common: isCommon,
      breached: !isCommon && breached !== null && (await breached.contains(canonical)),
    }
    return passwordFlawNames.filter(flaw => found[flaw])
  }
}

let loaded: Promise<ReadonlySet<string>> | undefined

/** Reads the list at its first use: signing in does not need it. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return loaded
}
