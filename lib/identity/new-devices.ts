/** Informs users by mail of a sign-in from a browser that they have not used before (AU-16). */
import { rateLimits } from '#lib/config/limits.ts'
import { securityNotice } from '#lib/core/sign-in/security-notice.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { limitKey } from '#lib/protocol/network-limits.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { SignedIn } from './session.ts'
import { isMarkedDevice, markDevice } from './sign-in-limits.ts'

type NewDevicePorts = Pick<
  Ports,
  | 'mail'
  | 'policies'
  | 'rateLimiter'
  | 'deviceNotices'
  | 'outbox'
  | 'userService'
  | 'random'
  | 'sealing'
  | 'hashing'
  | 'clock'
  | 'afterwards'
>

/** A completed sign-in, and the known-browser cookie that the browser sent. */
type Arrival = {
  readonly begun: NonNullable<SignedIn['begun']>
  readonly knownBrowser: string | null
  /** The new value of the cookie, if the sign-in has made one. */
  readonly marked: string | null
}

export type NoteDevice = (arrival: Arrival, context: RequestContext) => string

/**
 * Marks the browser as one that the user has used, and returns the new value of the cookie. The user is informed of a browser
 * without the mark and without a session of the account, after the response.
 */
export function noteDevice(ports: NewDevicePorts): NoteDevice {
  return ({ begun: { subject, hadSession }, knownBrowser, marked }, context) => {
    const isKnown = hadSession || isMarkedDevice(ports, knownBrowser, subject)
    if (!isKnown) ports.afterwards(() => informOfDevice(ports, subject, context))
    return markDevice(ports, marked ?? knownBrowser, subject)
  }
}

/** Sends the mail, at most a few in an hour: anyone who knows the password could cause many. */
async function informOfDevice(
  ports: NewDevicePorts,
  subject: SubjectId,
  { address, userAgent }: RequestContext,
): Promise<void> {
  if (ports.mail.kind === 'off' || !(await ports.policies.current()).mail_about_new_devices) return
  const rule = { key: limitKey('new-device', subject), ...rateLimits.newDevices }
  const now = ports.clock.now()
  if ((await ports.rateLimiter.consume([rule], now)).kind === 'limited') return
  if (!(await ports.deviceNotices.areDue(subject, now))) return
  const device = { address: address ?? '', user_agent: userAgent ?? '' }
  await ports.outbox.put(await securityNotice(ports, subject, 'new_device', device))
}
