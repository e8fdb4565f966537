/** The name under which admins see a user. */
import type { Claims } from './claims.ts'

type Named = {
  readonly claims: Claims
  /** A user without one came from an identity provider and has a generated user name. */
  readonly hasPassword: boolean
}

/** From the claims. A generated user name means nothing to admins, so the e-mail address replaces it. `null`: the user name. */
export function nameOfUser({ claims, hasPassword }: Named): string | null {
  const { name, given_name: given, family_name: family, preferred_username: preferred, email } = claims
  if (isText(name)) return name
  const parts = [given, family].filter(isText)
  if (parts.length > 0) return parts.join(' ')
  return hasPassword ? null : ([preferred, email].find(isText) ?? null)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
