/** Informs users by mail of changes of the ways in which they sign in (AU-16). */
import { mail as limits } from '#lib/config/limits.ts'
import { newMail, type SecurityChange } from '#lib/ports/mail.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { SubjectId } from '#lib/protocol/ids.ts'

type NoticePorts = Pick<Ports, 'mail' | 'userService' | 'random' | 'sealing' | 'clock'>

/**
 * Makes the mail about a change, which the caller stores in the transaction of the change. Empty if this server sends no mail,
 * or no verified address of the user is known.
 */
export async function securityNotice(
  ports: NoticePorts,
  subject: SubjectId,
  change: SecurityChange,
): Promise<readonly NewDelivery[]> {
  if (ports.mail.kind === 'off') return []
  const mailbox = (await ports.userService.mailbox?.(subject)) ?? null
  if (mailbox === null) return []
  const now = ports.clock.now()
  const { address: to, locale } = mailbox
  const values = { change, at: now.toISOString() }
  const body = { to, locale, content: 'security_change', values } as const
  return [newMail(ports, body, { now, usefulSeconds: limits.securityNoticeSeconds })]
}
