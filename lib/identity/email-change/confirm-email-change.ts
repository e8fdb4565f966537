/** Confirms a new address, by the code in the browser that asked, or by the link in any browser where the user is signed in. */
import { addressNotice } from '#lib/core/sign-in/security-notice.ts'
import { inSession } from '#lib/ports/change-source.ts'
import type { ChangeableEmail, EmailChange } from '#lib/ports/email-change.ts'
import type { MailProof } from '#lib/ports/mail-proofs.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Session } from '#lib/ports/sessions.ts'
import type { MailLinkHandle } from '#lib/protocol/ids.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import {
  findProofByPage,
  type PageProof,
  redeemProofCode,
  type WaitingProof,
  waitingProof,
} from '../mail-proofs.ts'
import { emailChangeOf, newAddressOf, purpose } from './request-email-change.ts'

/** A change that waits for its code. */
export type WaitingEmailChange = WaitingProof & { readonly address: string }

/** Returns the change of this page; `null` if it is unknown, has expired, or was asked for in another browser. */
export async function waitingEmailChange(ports: Ports, asked: PageProof): Promise<WaitingEmailChange | null> {
  const proof = await findProofByPage(ports, purpose, asked)
  return proof && { ...waitingProof(ports, proof), address: newAddressOf(ports, proof) }
}

type OpenChange = {
  readonly proof: MailProof
  readonly account: ChangeableEmail
  readonly service: EmailChange
  readonly address: string
}

/**
 * Returns the change of a link; `null` if the link does not work. The session must be one of the account: a stranger to whom the
 * mail was sent by a mistake in the address cannot use it.
 */
async function findByLink(
  ports: Ports,
  session: Session,
  link: MailLinkHandle | null,
): Promise<OpenChange | null> {
  const service = emailChangeOf(ports)
  if (link === null || service === null) return null
  const { mailProofs, hashing, clock } = ports
  const proof = await mailProofs.findByLink(hashing.digest(link), purpose, clock.now())
  if (proof === null || proof.subject !== session.subject) return null
  const account = await service.read(session.subject)
  if (account === null || hashing.digest(account.state) !== proof.accountState) return null
  return { proof, account, service, address: newAddressOf(ports, proof) }
}

/** Returns the new address, for the page of the link; `null` if the link does not work. Changes nothing. */
export async function emailChangeView(
  ports: Ports,
  session: Session,
  link: MailLinkHandle | null,
): Promise<{ readonly address: string } | null> {
  return findByLink(ports, session, link)
}

/** Changes the address, once for each link. The old address and the new one get a mail (AU-16). */
export async function confirmEmailChange(
  ports: Ports,
  { session, link }: { readonly session: Session; readonly link: MailLinkHandle | null },
  context: RequestContext,
): Promise<boolean> {
  const found = await findByLink(ports, session, link)
  if (found === null) return false
  const { proof, account, service, address } = found
  const { subject } = session
  const notices = await addressNotice(ports, { subject, address, locale: account.locale, by: 'user' })
  const consume = () => ports.mailProofs.take(proof.digest, notices)
  const change = { now: ports.clock.now(), within: inSession(session), consume }
  if (!(await service.change(account, address, change))) return false
  // A user without a name is shown by the address
  if (session.name === account.address) await ports.sessions.rename(subject, address)
  ports.events.record(
    { name: 'email_changed', outcome: 'success', subject, details: { by: 'account' } },
    context,
  )
  return true
}

export type EmailCodeOutcome = 'changed' | 'wrong' | 'used_up' | 'expired'

/** Exchanges the code, and changes the address. */
export async function confirmByCode(
  ports: Ports,
  { session, ...asked }: PageProof & { readonly session: Session; readonly code: string },
  context: RequestContext,
): Promise<EmailCodeOutcome> {
  const outcome = await redeemProofCode(ports, purpose, asked)
  if (outcome.kind !== 'right') return outcome.kind
  return (await confirmEmailChange(ports, { session, link: outcome.link }, context)) ? 'changed' : 'expired'
}
