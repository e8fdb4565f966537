/** Under which counters a try of a password falls, wherever it is typed. */
import type { Ports } from '#lib/ports/ports.ts'
import type { ThrottleRule } from '#lib/ports/sessions.ts'
import { signInThrottleRules } from '#lib/protocol/sign-in-throttle.ts'
import { knownDeviceRule } from './known-device.ts'

/** A device that signed this account in before is counted by itself alone; everybody else by account and address. */
export function tryRules(
  ports: Ports,
  tried: { readonly account: string; readonly device: string | null; readonly address: string | null },
): readonly ThrottleRule[] {
  const ownRule = knownDeviceRule(ports, tried.device, tried.account)
  if (ownRule !== null) return [ownRule]
  return signInThrottleRules({ canonicalUsername: tried.account, address: tried.address })
}
