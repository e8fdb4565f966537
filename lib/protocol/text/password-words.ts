/** The rules for a new password that need no list of passwords. The server decides by them; pages show them while the user types. */

const productName = 'latchkey'
/** Words that attackers try first, with any ending. */
const commonWords = ['password', 'passwort', 'welcome', 'willkommen']
/** The minimum length of a word that is compared: shorter words appear in many good passwords. */
const shortestContextWord = 4
/** The fewest letters and digits that a password must have in addition to the words that are compared. */
const fewestOtherCharacters = 6

/** The number of characters: code points of the normal form, as NIST SP 800-63B-4 3.1.1.2 counts them. */
export function lengthOfPassword(password: string): number {
  return [...password.normalize('NFC')].length
}

/** Whether the password has no more than two different characters. */
export function repeatsCharacters(password: string): boolean {
  const characters = [...password.normalize('NFC')]
  return characters.length > 2 && new Set(characters).size < 3
}

/** Whether the password is little more than a word that attackers try first. */
export function isCommonWord(password: string): boolean {
  return isMadeOf(password, commonWords)
}

/** Whether the password is little more than these words, words that attackers try first, and the name of this product (AU-02). */
export function isMadeOfNames(password: string, words: readonly string[]): boolean {
  return isMadeOf(password, [productName, ...commonWords, ...words])
}

function isMadeOf(password: string, words: readonly string[]): boolean {
  const canonical = password.normalize('NFC').toLowerCase()
  const rest = words
    .flatMap(word => word.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter(word => word.length >= shortestContextWord)
    .sort((left, right) => right.length - left.length)
    .reduce((left, word) => left.replaceAll(word, ''), canonical)
  return rest.length < canonical.length && rest.replace(/[^\p{L}\p{N}]/gu, '').length < fewestOtherCharacters
}
