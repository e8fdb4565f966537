import { accountLinks as limits } from '#lib/config/limits.ts'
import type { NamedIdentity } from '#lib/ports/account-links.ts'
import type { ExternalIdentity } from '#lib/ports/users.ts'
import { displayText } from '#lib/protocol/text/display-text.ts'

/** Returns the key of an identity with the name by which its user recognizes it. */
export function namedIdentity({ scheme, issuer, subject, claims }: ExternalIdentity): NamedIdentity {
  const names = [claims.email, claims.preferred_username, claims.name]
  const name = names.find(text => typeof text === 'string' && text.trim() !== '')
  const label = typeof name === 'string' ? displayText(name, limits.labelCharacters) : ''
  return { scheme, issuer, subject, label: label === '' ? null : label }
}
