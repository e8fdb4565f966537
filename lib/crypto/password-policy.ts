/** What a password may be when it is set. Never asked at sign-in. No composition rules (AU-01). */
import { passwordCharacters } from '#lib/config/limits.ts'

/** Words of the product, which attackers try first. */
const productWords = ['latchkey', 'password', 'passwort', 'welcome', 'willkommen']
/** Shorter words would stand in half of all good passwords. */
const shortestContextWord = 4
/** What must be left of a password when the words that belong to the person are taken out. */
const fewestOtherCharacters = 6

/**
 * Why a password may not be set, as the end of a sentence; `null` when it may. `context` are words that belong to the
 * person or the site, such as the user name or an e-mail address (AU-02).
 */
export async function passwordProblem(
  password: string,
  context: readonly string[] = [],
): Promise<string | null> {
  const { minimum, maximumBytes } = passwordCharacters
  if (!password.isWellFormed()) return 'must be valid Unicode'
  const canonical = password.normalize('NFC')
  if ([...canonical].length < minimum) return `must have at least ${minimum} characters`
  if (Buffer.byteLength(canonical) > maximumBytes) return `must not be longer than ${maximumBytes} bytes`
  if (new Set(canonical).size < 3) return 'must not repeat one or two characters'
  if (isMadeOf(canonical, [...productWords, ...context]))
    return 'must not be a name or word that belongs to you or this site'
  const common = await commonPasswords()
  if (common.has(canonical.toLowerCase())) return 'is one of the passwords that attackers try first'
  return null
}

function isMadeOf(password: string, words: readonly string[]): boolean {
  const rest = words
    .flatMap(word => word.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter(word => word.length >= shortestContextWord)
    .sort((left, right) => right.length - left.length)
    .reduce((left, word) => left.replaceAll(word, ''), password.toLowerCase())
  return rest.length < password.length && rest.replace(/[^\p{L}\p{N}]/gu, '').length < fewestOtherCharacters
}

let loaded: Promise<ReadonlySet<string>> | undefined

/** Read at the first use: signing in needs it never. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return loaded
}
