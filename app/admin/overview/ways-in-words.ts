/** Describes the settings of passkeys and of the second factor. */
import { countedText } from '#lib/admin/counted-text.ts'
import type { Health } from '#lib/admin/overview/health.ts'
import type { Policies, SecondFactorPolicy } from '#lib/protocol/registration/policies.ts'

const either = new Intl.ListFormat('en', { type: 'disjunction' })

/** Says which users need a second factor. */
export function secondFactorText(policy: SecondFactorPolicy): string {
  if (policy.kind === 'offered') return 'Asked of users who have set one up'
  if (policy.kind === 'required') return 'Required of all users'
  const values = policy.claims.map(({ name, value }) => `${name} ${value}`)
  return `Required of users with ${either.format(values)}`
}

export function passkeyText(
  { domain, count }: Health['passkeys'],
  { offer_passkeys: isOffered }: Pick<Policies, 'offer_passkeys'>,
): string {
  const stored = countedText({ count, isMore: false }, 'passkey', 'passkeys')
  if (domain.kind === 'on')
    return `${stored} of ${domain.id}; ${isOffered ? 'offered' : 'not offered'} after a sign-in with a password`
  const why = domain.why === 'ip_address' ? 'for an IP address' : 'without https'
  const lost = count === 0 ? '' : `; ${stored} cannot be used here`
  return `Off: browsers have none ${why}${lost}`
}
