/** User names: what a person types, and the one form under which it is stored, looked up and counted. */

/**
 * The canonical form of a user name: without surrounding spaces, compatibility forms folded, case ignored. Storage finds
 * users by it and the rate limits count by it. With two different forms, each spelling would have its own attempts.
 */
export function canonicalUsername(username: string): string {
  return username.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
}
