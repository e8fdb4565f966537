/** Asks for a change of the user's address: a mail with a link and a code goes to the new one (AU-15). */
import { z } from 'zod'
import { mailProof as limits, rateLimits } from '#lib/config/limits.ts'
import type { ChangeableEmail, EmailChange } from '#lib/ports/email-change.ts'
import { newMail } from '#lib/ports/mail.ts'
import type { MailProof } from '#lib/ports/mail-proofs.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { RateLimitRule } from '#lib/ports/rate-limiter.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { BrowserHandle, MailPageHandle, SubjectId } from '#lib/protocol/ids.ts'
import { limitKey } from '#lib/protocol/network-limits.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { parseMailAddress } from '#lib/protocol/text/mail-address.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'
import { groupedCode } from '../mail-code.ts'
import {
  findProofByPage,
  makeMailProof,
  openProofDetails,
  type PageProof,
  waitingProof,
} from '../mail-proofs.ts'
import { emailChangeRule, emailConfirmationRule } from '../user-limits.ts'

export const purpose = 'change_email'

/** Returns the functions of the user service, if mail can be sent; else `null`. */
export function emailChangeOf({
  mail,
  userService,
}: Pick<Ports, 'mail' | 'userService'>): EmailChange | null {
  return mail.kind === 'off' ? null : (userService.emailChange ?? null)
}

/** The address of the signed-in user. */
export type OwnEmail = Pick<ChangeableEmail, 'address' | 'isVerified'>

/** Returns the address of the user; `null` if it cannot be changed here. */
export function ownEmail(
  ports: Pick<Ports, 'mail' | 'userService' | 'managedUsers'>,
  { subject }: Pick<Session, 'subject'>,
): Promise<OwnEmail | null> {
  return changeableEmail(ports, subject)
}

/**
 * Returns the account; `null` if its address cannot be changed. The configuration file sets the address of its users: the next
 * start would undo a change, and would restore an address as verified that the user no longer controls.
 */
export async function changeableEmail(
  ports: Pick<Ports, 'mail' | 'userService' | 'managedUsers'>,
  subject: SubjectId,
): Promise<ChangeableEmail | null> {
  const service = emailChangeOf(ports)
  if (service === null || (await ports.managedUsers.has(subject))) return null
  return service.read(subject)
}

const detailsSchema = z.object({ address: z.string() })

/** Returns the new address of a proof. Throws if the stored value cannot be opened. */
export function newAddressOf(
  ports: Pick<Ports, 'sealing'>,
  proof: Pick<MailProof, 'page' | 'sealedDetails'>,
): string {
  return detailsSchema.parse(JSON.parse(openProofDetails(ports, proof))).address
}

export type EmailChangeInput = {
  readonly session: Pick<Session, 'subject'>
  readonly typed: string
  readonly browser: BrowserHandle | null
}

export type EmailChangeRequested =
  | { readonly kind: 'requested'; readonly page: MailPageHandle; readonly browser: BrowserHandle }
  /** `invalid`: not an address. `same`: the verified address of the account already. `off`: it cannot be changed here. */
  | { readonly kind: 'invalid' | 'same' | 'off' }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }

/**
 * Sends the mail. The caller has checked that the sign-in is fresh (MF-04). The old address stays in force until the new one is
 * confirmed. Nothing depends on whether another account has the address.
 */
export async function requestEmailChange(
  ports: Ports,
  { session, typed, browser: known }: EmailChangeInput,
  context: RequestContext,
): Promise<EmailChangeRequested> {
  const { subject } = session
  const account = await changeableEmail(ports, subject)
  if (account === null) return { kind: 'off' }
  const address = parseMailAddress(typed)
  if (address === null) return { kind: 'invalid' }
  const isSame = account.address !== null && canonicalUsername(account.address) === canonicalUsername(address)
  if (isSame && account.isVerified) return { kind: 'same' }
  const now = ports.clock.now()
  const permit = await ports.rateLimiter.consume(mailLimits(subject, address), now)
  if (permit.kind === 'limited') return permit
  const details = JSON.stringify({ address })
  const { page, browser, digest, link, code } = await makeMailProof(ports, {
    purpose,
    browser: known,
    details,
  })
  const values = { link, code: groupedCode(code) }
  const body = { to: address, locale: account.locale, content: 'change_email', values } as const
  const owner = { subject, accountState: ports.hashing.digest(account.state) }
  const mail = newMail(ports, body, { now, usefulSeconds: limits.lifetimeSeconds })
  await ports.mailProofs.send({ digest, purpose }, owner, [mail])
  ports.events.record({ name: 'email_change_requested', outcome: 'success', subject }, context)
  return { kind: 'requested', page, browser }
}

/**
 * Sends a further mail to the same address; the earlier link and code end. The caller has checked that the sign-in is fresh.
 * `expired`: the page is unknown, has expired, or no longer waits for this account. `wait`: the last mail is too new.
 */
export async function resendEmailChange(
  ports: Ports,
  { session, ...asked }: PageProof & Pick<EmailChangeInput, 'session'>,
  context: RequestContext,
): Promise<EmailChangeRequested | { readonly kind: 'expired' | 'wait' }> {
  const proof = await findProofByPage(ports, purpose, asked)
  if (proof === null || proof.subject !== session.subject) return { kind: 'expired' }
  if (waitingProof(ports, proof).waitSeconds > 0) return { kind: 'wait' }
  const { browser } = asked
  return requestEmailChange(ports, { session, typed: newAddressOf(ports, proof), browser }, context)
}

function mailLimits(subject: SubjectId, typed: string): readonly RateLimitRule[] {
  const address = canonicalUsername(typed)
  return [
    emailChangeRule(subject),
    { key: limitKey('email-change:account-address', subject, address), ...rateLimits.emailChangeAddress },
    emailConfirmationRule(typed),
  ]
}
