/**
 * Known devices. A browser that once signed an account in carries a sealed mark that says so, and gets a budget of
 * tries of its own there. A stranger's failures therefore never lock the owner out of her own device, and nothing
 * has to be stored on the server. A mark is as good as the password it was given for: who knew an old one is a stranger.
 */

import { z } from 'zod'
import { lifetimeSeconds, rateLimits } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RateLimitRule } from '#lib/ports/sessions.ts'
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
 * The rules that count tries for this account from a device known to it; `null` when the device is not. The second
 * counts all of them together: marks cost nothing but a right password, so many must not mean many guesses.
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

/** The mark to keep after the account signed in: newest account first, the oldest forgotten. */
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
    // A forged, altered or outdated cookie only makes the device unknown.
    return null
  }
}
