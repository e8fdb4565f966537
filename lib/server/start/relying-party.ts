/** Compares the domain of the stored passkeys with that of the settings. */
import type { Config } from '#lib/config/env.ts'
import { isHostOrParent } from '#lib/config/relying-party.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { Passkeys } from '#lib/ports/passkeys.ts'

const metaName = 'relying_party_id'

type Settings = Pick<Config, 'issuer' | 'relyingParty' | 'discardedRelyingParty'>
type Stored = {
  readonly meta: Pick<Meta, 'find' | 'replace'>
  readonly passkeys: Pick<Passkeys, 'count' | 'removeAll'>
}

/**
 * Refuses a start under another domain while there are passkeys, because none of them would work. Without passkeys, the domain is
 * stored. Where browsers have no passkeys, the start only warns: the passkeys work again at the earlier address. Returns the number of
 * passkeys that were deleted, because the settings discard the earlier domain.
 * @throws ConfigError that says what to set
 */
export async function verifyRelyingParty(
  { issuer, relyingParty, discardedRelyingParty }: Settings,
  { meta, passkeys }: Stored,
): Promise<number> {
  if (relyingParty.kind === 'off') return 0
  const known = await meta.find(metaName)
  if (known === relyingParty.id) return 0
  const count = known === null ? 0 : await passkeys.count()
  if (known !== null && count > 0 && known !== discardedRelyingParty) {
    throw new ConfigError(
      `Passkeys would belong to ${relyingParty.id}, but ${belonging(count)} to ${known} and would be lost; set ${remedy(known, issuer)}, or delete them with WEBAUTHN_DISCARDED_RP_ID=${known}.`,
    )
  }
  const deleted = count === 0 ? 0 : await passkeys.removeAll()
  await meta.replace(metaName, relyingParty.id)
  return deleted
}

function remedy(known: string, issuer: string): string {
  if (isHostOrParent(known, new URL(issuer).hostname)) return `WEBAUTHN_RP_ID=${known}`
  return `WEBAUTHN_RP_ID=${known} and WEBAUTHN_RELATED_ORIGINS=${issuer}, and serve https://${known}/.well-known/webauthn`
}

function belonging(count: number): string {
  return count === 1 ? '1 passkey belongs' : `${count} passkeys belong`
}

/** Warns at a start where browsers have no passkeys. `count`: the number of stored ones, which do not work here. */
export function passkeyWarning(
  { issuer, relyingParty }: Pick<Settings, 'issuer' | 'relyingParty'>,
  count: number,
): readonly string[] {
  if (relyingParty.kind === 'on') return []
  const why = relyingParty.why === 'ip_address' ? 'for an IP address' : 'without https'
  const lost =
    count === 0 ? '' : ` The ${count} stored ${count === 1 ? 'one does' : 'ones do'} not work here.`
  return [`Browsers have no passkeys ${why} (${issuer}), so users cannot have any.${lost}`]
}
