/** Informs users by mail of changes of the ways in which they sign in (AU-16). */
import { mail as limits } from '#lib/config/limits.ts'
import { type ChangedAddress, languageOf, newMail, type SecurityChange } from '#lib/ports/mail.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { Mailbox } from '#lib/ports/users.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'
import { canonicalUsername } from '#lib/protocol/text/user-names.ts'
import { sealUndoLink } from './undo-link.ts'

type NoticePorts = Pick<Ports, 'mail' | 'userService' | 'random' | 'sealing' | 'clock'>

/**
 * Makes the mail about a change, which the caller stores in the transaction of the change. With its link, the user takes the
 * change back. Empty if this server sends no mail, or no verified address of the user is known. `details`: what the
 * change is about, such as the browser or the name of the identity provider.
 */
export async function securityNotice(
  ports: NoticePorts,
  subject: SubjectId,
  change: SecurityChange,
  details: Readonly<Record<string, string>> = {},
): Promise<readonly NewDelivery[]> {
  const mailbox = await mailboxOf(ports, subject)
  if (mailbox === null) return []
  const undo = sealUndoLink(ports, { subject, change, at: ports.clock.now(), address: mailbox.address })
  return [noticeTo(ports, mailbox, { ...details, change, undo })]
}

/**
 * Makes the mail about a change that the user cannot take back by mail. One by an administrator may be the answer to a mailbox that
 * others read.
 */
export async function plainNotice(
  ports: NoticePorts,
  subject: SubjectId,
  change: SecurityChange,
  details: Readonly<Record<string, string>> = {},
): Promise<readonly NewDelivery[]> {
  const mailbox = await mailboxOf(ports, subject)
  return mailbox === null ? [] : [noticeTo(ports, mailbox, { ...details, change })]
}

/**
 * Makes the mails about a change of the address: to the old one if it was verified, with a link to take it back, and to the new one.
 * A change by an administrator cannot be taken back by mail: it may be the answer to a mailbox that others read.
 */
export async function addressNotice(
  ports: NoticePorts,
  { subject, address, locale, by }: ChangedAddress,
): Promise<readonly NewDelivery[]> {
  const change = 'email_changed'
  const toNew = address === null ? [] : [noticeTo(ports, { address, locale }, { change })]
  if (by === 'user') return [...(await securityNotice(ports, subject, change)), ...toNew]
  const old = await mailboxOf(ports, subject)
  if (ports.mail.kind === 'off') return []
  return old === null ? toNew : [noticeTo(ports, old, { change }), ...toNew]
}

/**
 * Makes the mail to the address that is replaced when `address` is restored: it may be the one of the user, if others read the mails
 * to the earlier one. Empty if that is the address of the account, or no address is verified.
 */
export async function restoredNotice(
  ports: NoticePorts,
  { subject, address }: { readonly subject: SubjectId; readonly address: string },
): Promise<readonly NewDelivery[]> {
  const replaced = await mailboxOf(ports, subject)
  if (replaced === null || canonicalUsername(replaced.address) === canonicalUsername(address)) return []
  return [noticeTo(ports, replaced, { change: 'email_restored' })]
}

/** Returns where the user gets mails; `null` if this server sends none, or no address is verified. */
export async function mailboxOf(
  { mail, userService }: Pick<Ports, 'mail' | 'userService'>,
  subject: SubjectId,
): Promise<Mailbox | null> {
  return mail.kind === 'off' ? null : ((await userService.mailbox?.(subject)) ?? null)
}

type Noticed = Readonly<Record<string, string>> & { readonly change: SecurityChange }

function noticeTo(ports: NoticePorts, mailbox: Mailbox, noticed: Noticed): NewDelivery {
  const now = ports.clock.now()
  const values = { ...noticed, at: now.toISOString() }
  const { address: to } = mailbox
  const body = { to, locale: languageOf(mailbox), content: 'security_change', values } as const
  return newMail(ports, body, { now, usefulSeconds: limits.securityNoticeSeconds })
}
