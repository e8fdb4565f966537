/** The offer to add or confirm an email address after a sign-in, at most once a month. */
import { emailOfferSeconds } from '#lib/config/limits.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import { type Account, accountOf, type ReadAccount } from '#lib/ports/users.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { hasFreshSignIn } from '../fresh-sign-in.ts'
import { changeableEmail, emailChangeOf } from './request-email-change.ts'

type OfferPorts = Pick<
  Ports,
  | 'mail'
  | 'userService'
  | 'users'
  | 'managedUsers'
  | 'clock'
  | 'subjectPreferences'
  | 'settings'
  | 'passkeys'
  | 'secondFactors'
>

type NewSession = Pick<Session, 'subject' | 'details'>

/**
 * Decides whether to offer it to the user of a new session now, and stores the time of the offer. Only if mails are sent, and not if
 * they are files of this machine; and only if the sign-in is fresh, as the page requires, which a trusted browser can prevent. A user
 * with a verified address costs no statement if the caller has just read the `account`.
 */
export async function beginEmailOffer(
  ports: OfferPorts,
  session: NewSession,
  account: ReadAccount,
): Promise<boolean> {
  if (ports.mail.kind !== 'smtp' || emailChangeOf(ports) === null) return false
  const { subject } = session
  if (isVerified(await accountOf(ports, subject, account))) return false
  const { subjectPreferences, clock } = ports
  const now = clock.now()
  const last = await subjectPreferences.emailOfferedAt(subject)
  if (last !== null && secondsAfter(last, emailOfferSeconds) > now) return false
  const email = await changeableEmail(ports, subject)
  if (email === null || (email.address !== null && email.isVerified)) return false
  if (!(await hasFreshSignIn(ports, session))) return false
  await subjectPreferences.putEmailOffer(subject, now)
  return true
}

function isVerified(account: Account | null): boolean {
  return account?.claims.email_verified === true && typeof account.claims.email === 'string'
}
