/** The offer to add or confirm an email address after a sign-in, at most once a month. */
import { emailOfferSeconds } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { StoredUser } from '#lib/ports/users.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { emailChangeOf } from './request-email-change.ts'

type OfferPorts = Pick<Ports, 'mail' | 'userService' | 'clock' | 'subjectPreferences'>

/**
 * Decides whether to offer it to the user now, and stores the time of the offer. Only if mails are sent, and not if they are files
 * of this machine. Only users without a verified address cost a statement. `account`: the account, if the caller has just read it.
 */
export async function beginEmailOffer(
  ports: OfferPorts,
  subject: SubjectId,
  account: StoredUser | undefined,
): Promise<boolean> {
  const service = emailChangeOf(ports)
  if (service === null || ports.mail.kind !== 'smtp' || isVerified(account)) return false
  const { subjectPreferences, clock } = ports
  const now = clock.now()
  const last = await subjectPreferences.emailOfferedAt(subject)
  if (last !== null && secondsAfter(last, emailOfferSeconds) > now) return false
  const email = await service.read(subject)
  if (email === null || (email.address !== null && email.isVerified)) return false
  await subjectPreferences.putEmailOffer(subject, now)
  return true
}

function isVerified(account: StoredUser | undefined): boolean {
  return account?.claims.email_verified === true && typeof account.claims.email === 'string'
}
