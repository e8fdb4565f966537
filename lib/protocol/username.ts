/** User names: what a person types, and the one form under which it is stored, looked up and counted. */

/**
 * The form in which two spellings of one name meet: outer blanks gone, compatibility forms folded, case ignored.
 * Storage looks people up by it and the throttle counts by it. Were the two forms to differ, each spelling of a name
 * would get tries of its own.
 */
export function canonicalUsername(username: string): string {
  return username.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
}
