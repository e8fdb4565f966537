/**
 * The rate limits on password attempts. A browser that signed in to an account has a sealed mark in a cookie, and its
 * attempts at this account have separate limits: failures in unknown browsers never lock the user out in that browser.
 * The mark is not stored on the server. It becomes invalid for an account when the password is changed, if the user
 * service has a `passwordStamp`.
 */
import { z } from 'zod'
import { lifetimeSeconds, rateLimits } from '#lib/config/limits.ts'
import { type AttemptLimits, ownLimits, signInRateLimits } from '#lib/core/limits/attempt-limits.ts'
import { type CheckCaller, callerAt } from '#lib/ports/check-caller.ts'
import { openSealedJson } from '#lib/ports/environment.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RateLimitRule } from '#lib/ports/rate-limiter.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { networkRules } from '#lib/protocol/network-limits.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'

const sealingContext = 'cookie:device:mark'
/** Each user has one for the password and, with an authenticator app, one for the second factor. */
const accountsPerBrowser = 10

const markSchema = z.object({
  id: z.string().min(16).max(64),
  accounts: z.array(z.string().max(64)).max(accountsPerBrowser),
  /** The users who signed in, whatever their way, until the mark ends. Marks of earlier versions have none. */
  devices: z.array(z.string().max(64)).max(accountsPerBrowser).default([]),
  /** The expiry in milliseconds since the epoch. */
  endsAt: z.number(),
})
type BrowserMark = z.infer<typeof markSchema>

type MarkPorts = Pick<Ports, 'sealing' | 'hashing' | 'random' | 'clock' | 'userService'>

/** The limits of an attempt. `caller`: for the queue of password checks, in which known browsers have priority. */
type PasswordAttemptLimits = { readonly limits: AttemptLimits; readonly caller: CheckCaller }

/**
 * Returns the limits of an attempt. NOTE: attempts in a known browser do not count for the limit of the address. If
 * they did, failures at other accounts from the same address would lock the user out (AU-08).
 */
export async function passwordAttemptLimits(
  ports: Ports,
  {
    account,
    knownBrowser,
    address,
  }: { readonly account: string; readonly knownBrowser: string | null; readonly address: string | null },
): Promise<PasswordAttemptLimits> {
  const browserLimits = await knownBrowserLimits(ports, knownBrowser, account)
  if (browserLimits !== null) return { limits: ownLimits(browserLimits), caller: callerAt(address, true) }
  return { limits: signInRateLimits({ canonicalUsername: account, address }), caller: callerAt(address) }
}

/**
 * Returns the limits of an attempt with a passkey. No account is limited: signatures cannot be guessed, and others must not be
 * able to lock the user out.
 */
export function passkeyAttemptLimits({ address }: Pick<RequestContext, 'address'>): AttemptLimits {
  return ownLimits(address === null ? [] : networkRules('sign-in:address', address, rateLimits.address))
}

/**
 * Returns the limits of attempts at this account in a known browser; `null` for other browsers. The second rule counts
 * the attempts of all known browsers together, so that many marks do not allow many more attempts.
 */
export async function knownBrowserLimits(
  ports: MarkPorts,
  knownBrowser: string | null,
  account: string,
): Promise<readonly RateLimitRule[] | null> {
  const id = await knownBrowserId(ports, knownBrowser, { account })
  if (id === null) return null
  const digest = ports.hashing.digest(account)
  return [
    { account, key: `sign-in:device:${id}:${digest}`, ...rateLimits.knownBrowser },
    { account, key: `sign-in:devices:${digest}`, ...rateLimits.knownBrowsers },
  ]
}

/** A marked account. `stamp`: the value whose change makes the mark invalid, by default that of the password. */
type MarkedAccount = { readonly account: string; readonly stamp?: string; readonly read?: StoredUser }

/** Returns the ID of a browser that is known for the account; `null` if it is not. */
export async function knownBrowserId(
  ports: MarkPorts,
  knownBrowser: string | null,
  account: MarkedAccount,
): Promise<string | null> {
  const mark = openMark(ports, knownBrowser)
  if (mark === null || !mark.accounts.includes(await accountDigest(ports, account))) return null
  return mark.id
}

/**
 * Returns the mark for the cookie after a sign-in. It contains the last `accountsPerBrowser` accounts, the newest
 * first.
 */
export async function markKnownBrowser(
  ports: MarkPorts,
  knownBrowser: string | null,
  account: MarkedAccount,
): Promise<string> {
  const known = openMark(ports, knownBrowser)
  const digest = await accountDigest(ports, account)
  const others = known?.accounts.filter(other => other !== digest) ?? []
  const mark: BrowserMark = {
    id: known?.id ?? ports.random.id(),
    accounts: [digest, ...others].slice(0, accountsPerBrowser),
    devices: known?.devices ?? [],
    endsAt: secondsAfter(ports.clock.now(), lifetimeSeconds.knownBrowser).getTime(),
  }
  return ports.sealing.seal(JSON.stringify(mark), sealingContext)
}

/** Whether a user signed in with this browser before. A new password does not change that. */
export function isMarkedDevice(
  ports: Pick<MarkPorts, 'sealing' | 'hashing' | 'clock'>,
  knownBrowser: string | null,
  subject: SubjectId,
): boolean {
  return openMark(ports, knownBrowser)?.devices.includes(deviceDigest(ports, subject)) ?? false
}

/** Returns the mark for the cookie, with the user as the newest one who signed in with the browser. */
export function markDevice(
  ports: Pick<MarkPorts, 'sealing' | 'hashing' | 'clock' | 'random'>,
  knownBrowser: string | null,
  subject: SubjectId,
): string {
  const known = openMark(ports, knownBrowser)
  const digest = deviceDigest(ports, subject)
  const others = known?.devices.filter(other => other !== digest) ?? []
  const mark: BrowserMark = {
    id: known?.id ?? ports.random.id(),
    accounts: known?.accounts ?? [],
    devices: [digest, ...others].slice(0, accountsPerBrowser),
    endsAt: secondsAfter(ports.clock.now(), lifetimeSeconds.knownBrowser).getTime(),
  }
  return ports.sealing.seal(JSON.stringify(mark), sealingContext)
}

/** The part of the digest is enough: the mark is sealed, so that users only must not be confused by chance. */
function deviceDigest({ hashing }: Pick<MarkPorts, 'hashing'>, subject: SubjectId): string {
  return hashing.digest(JSON.stringify(['device', subject])).slice(0, 16)
}

/** Returns the digest of the account and its stamp: if none is given, the `passwordStamp`, which changes with the password. */
async function accountDigest(
  { hashing, userService }: MarkPorts,
  { account, stamp, read }: MarkedAccount,
): Promise<string> {
  const valid = stamp ?? (await userService.passwordStamp?.(account, read)) ?? null
  return hashing.digest(JSON.stringify([account, valid]))
}

/** Opens the mark. Returns `null` for a missing, forged, altered or outdated cookie: the browser is unknown. */
function openMark(
  ports: Pick<MarkPorts, 'sealing' | 'clock'>,
  knownBrowser: string | null,
): BrowserMark | null {
  if (knownBrowser === null || knownBrowser === '') return null
  const mark = markSchema.safeParse(openSealedJson(ports.sealing, knownBrowser, sealingContext))
  if (!mark.success || mark.data.endsAt <= ports.clock.now().getTime()) return null
  return mark.data
}
