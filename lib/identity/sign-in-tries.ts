/** Under which counters a try of a password falls, wherever it is typed. */
import type { Ports } from '#lib/ports/ports.ts'
import type { RateLimitRule } from '#lib/ports/sessions.ts'
import { signInRateLimits } from '#lib/protocol/sign-in-rate-limits.ts'
import { knownDeviceRules } from './known-device.ts'

/**
 * A device that signed this account in before is counted with its like alone; everybody else by account and address.
 * NOTE: not by address beside that: a stranger behind the same address, busy with other accounts, would stop the owner
 * on her own device (AU-08).
 */
export async function tryRules(
  ports: Ports,
  tried: { readonly account: string; readonly device: string | null; readonly address: string | null },
): Promise<readonly RateLimitRule[]> {
  const ownRules = await knownDeviceRules(ports, tried.device, tried.account)
  if (ownRules !== null) return ownRules
  return signInRateLimits({ canonicalUsername: tried.account, address: tried.address })
}
