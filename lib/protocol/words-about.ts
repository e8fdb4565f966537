import type { Claims } from './claims.ts'

/** Words that belong to a person, which their password must not be made of (AU-02). */
export function wordsAbout({
  username,
  claims,
}: {
  readonly username: string
  readonly claims: Claims
}): readonly string[] {
  const names = [claims.email, claims.name, claims.given_name, claims.family_name, claims.nickname]
  return [username, ...names.filter(name => typeof name === 'string')]
}
