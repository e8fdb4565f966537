/** Decides whether an identity is linked to the account with its email address, at the first sign-in with it (FD-05). */
import type { PendingInteraction } from '#lib/core/authorize/pending.ts'
import type { MatchingAccount } from '#lib/ports/account-links.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { IdentityProvider } from '#lib/ports/upstream.ts'
import type { ExternalIdentity } from '#lib/ports/users.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { allowsLocal } from '../interaction.ts'

export type EmailMatch = {
  /** `linked`: the address is enough. `offered`: the user must prove the account. */
  readonly kind: 'linked' | 'offered'
  readonly account: Pick<MatchingAccount, 'subject' | 'username'>
}

type FirstSignIn = {
  readonly provider: IdentityProvider
  readonly identity: ExternalIdentity
  readonly interaction: PendingInteraction | null
}

/**
 * Returns the account that the identity may be linked to; `null`: the identity is known, or gets a new account. The address is
 * enough only if the operator trusts those of the provider, never for an administrator, and never if the account has, or had,
 * an identity there: the provider may have given the address to another user, and an identity that was unlinked, by its user or
 * with the link of a mail, must not come back. Every other provider of the account must be trusted as well, also one whose
 * identity was unlinked: the address may be one that it asserted without checking it.
 */
export async function findEmailMatch(
  ports: Ports,
  { provider, identity, interaction }: FirstSignIn,
): Promise<EmailMatch | null> {
  const account = (await ports.userService.links?.match?.(identity)) ?? null
  if (account === null) return null
  const { unlinked = [] } = account
  const schemes = new Set([...account.schemes, ...unlinked.map(({ scheme }) => scheme)])
  const others = await Promise.all(
    [...schemes].map(scheme => ports.providers.find(providerSchemeSchema.parse(scheme))),
  )
  const isTrusted =
    provider.trustsEmail &&
    !schemes.has(provider.scheme) &&
    others.every(other => other?.trustsEmail === true)
  if (isTrusted && (await ports.administrators.find(account.subject)) === null)
    return { kind: 'linked', account }
  return account.hasPassword && allowsLocal(ports, interaction) ? { kind: 'offered', account } : null
}
