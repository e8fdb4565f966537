/** Home realm: the provider that an e-mail domain belongs to. The account itself is never looked at. */
import type { IdentityProvider } from '#lib/ports/grants.ts'

const emailCharacters = 254

/**
 * The first provider that owns the address's domain, or `null`. Whether the person has an account plays no part, so
 * that a stranger learns nothing.
 */
export function providerForEmail(
  providers: readonly IdentityProvider[],
  email: string,
): IdentityProvider | null {
  const domain = emailDomain(email)
  if (domain === null) return null
  return (
    providers.find(
      provider => provider.enabled && provider.domains.some(owned => toAscii(owned) === domain),
    ) ?? null
  )
}

/** One `@`, no blanks, commas or control characters. Unicode is folded first: `＠` is an at sign too. */
function emailDomain(email: string): string | null {
  const folded = email.normalize('NFKC').trim()
  if (folded.length > emailCharacters) return null
  const domain = /^[^\s@,;<>\p{Cc}]+@([^\s@,;<>\p{Cc}]+)$/u.exec(folded)?.[1]
  return domain === undefined ? null : toAscii(domain)
}

/** The form in which domains are compared: lower case, Punycode, without the final dot. */
function toAscii(domain: string): string | null {
  if (/[/\\?#:%[\]]/.test(domain)) return null
  const host = URL.parse(`https://${domain}`)?.hostname ?? ''
  return host.replace(/\.$/, '') || null
}
