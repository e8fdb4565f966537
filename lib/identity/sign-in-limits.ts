/**
 * The rate limits on attempts at a password. A browser that signed in to an account has a sealed mark in a cookie, and its
 * attempts at this account have separate limits: failures elsewhere never lock the user out there, and nothing is stored
 * on the server. A mark becomes invalid when the password is changed.
 */
import { z } from 'zod'
import { lifetimeSeconds, rateLimits } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { type RateLimitRule, signInRateLimits } from '#lib/ports/rate-limiter.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

const place = 'cookie:device:mark'
const accountsPerDevice = 5

const markSchema = z.object({
  id: z.string().min(16).max(64),
  accounts: z.array(z.string().max(64)).max(accountsPerDevice),
  /** Milliseconds since the epoch. */
  endsAt: z.number(),
})
type DeviceMark = z.infer<typeof markSchema>

type DevicePorts = Pick<Ports, 'sealing' | 'hashing' | 'random' | 'clock' | 'userService'>

/**
 * NOTE: on a known device the address is not counted in addition. Otherwise attempts at other accounts from the same address
 * would lock the user out on her own device (AU-08).
 */
export async function passwordAttemptLimits(
  ports: Ports,
  attempt: { readonly account: string; readonly device: string | null; readonly address: string | null },
): Promise<readonly RateLimitRule[]> {
  const deviceRules = await knownDeviceRules(ports, attempt.device, attempt.account)
  if (deviceRules !== null) return deviceRules
  return signInRateLimits({ canonicalUsername: attempt.account, address: attempt.address })
}

/**
 * The limits of attempts at this account from a device known to it; `null` for other devices. The second rule counts the
 * attempts of all its known devices together, because anyone who knew the password could create many marks.
 */
export async function knownDeviceRules(
  ports: DevicePorts,
  device: string | null,
  account: string,
): Promise<readonly RateLimitRule[] | null> {
  const mark = openMark(ports, device)
  if (mark === null || !mark.accounts.includes(await accountDigest(ports, account))) return null
  const digest = ports.hashing.digest(account)
  return [
    { account, key: `sign-in:device:${mark.id}:${digest}`, ...rateLimits.knownDevice },
    { account, key: `sign-in:devices:${digest}`, ...rateLimits.knownDevices },
  ]
}

/** The mark to keep after the account signed in: newest account first; the oldest is dropped. */
export async function markDevice(
  ports: DevicePorts,
  device: string | null,
  account: string,
): Promise<string> {
  const known = openMark(ports, device)
  const digest = await accountDigest(ports, account)
  const others = known?.accounts.filter(other => other !== digest) ?? []
  const mark: DeviceMark = {
    id: known?.id ?? ports.random.id(),
    accounts: [digest, ...others].slice(0, accountsPerDevice),
    endsAt: secondsAfter(ports.clock.now(), lifetimeSeconds.knownDevice).getTime(),
  }
  return ports.sealing.seal(JSON.stringify(mark), place)
}

/** Of the account and its password: a different password has a different digest. */
async function accountDigest({ hashing, userService }: DevicePorts, account: string): Promise<string> {
  const stamp = (await userService.passwordStamp?.(account)) ?? null
  return hashing.digest(JSON.stringify([account, stamp]))
}

function openMark(ports: DevicePorts, device: string | null): DeviceMark | null {
  if (device === null || device === '') return null
  const mark = markSchema.safeParse(unseal(ports, device))
  if (!mark.success || mark.data.endsAt <= ports.clock.now().getTime()) return null
  return mark.data
}

function unseal(ports: DevicePorts, device: string): unknown {
  try {
    return JSON.parse(ports.sealing.open(device, place))
  } catch {
    // With a forged, altered or outdated cookie the device is unknown
    return null
  }
}
