/** Mails about the deletion of an account by its user, and the link in them that keeps the account. */
import { z } from 'zod'
import { mail as limits } from '#lib/config/limits.ts'
import { openSealedJson } from '#lib/ports/environment.ts'
import { languageOf, newMail } from '#lib/ports/mail.ts'
import type { NewDelivery } from '#lib/ports/outbox.ts'
import type { PlannedChange } from '#lib/ports/planned-changes.ts'
import type { Ports } from '#lib/ports/ports.ts'
import { type SubjectId, subjectIdSchema } from '#lib/protocol/ids.ts'

export type MailPorts = Pick<Ports, 'mail' | 'userService' | 'random' | 'sealing' | 'clock'>

/**
 * The occasions: the user asked for the deletion, it is due soon, it was carried out, or the user or an administrator kept the
 * account.
 */
export type DeletionOccasion = 'planned' | 'soon' | 'deleted' | 'kept' | 'kept_by_administrator'

/** Makes the mail. Empty if this server sends no mail, or no verified address of the user is known. */
export async function deletionMail(
  ports: MailPorts,
  change: PlannedChange,
  occasion: DeletionOccasion,
): Promise<readonly NewDelivery[]> {
  if (ports.mail.kind === 'off') return []
  const mailbox = (await ports.userService.mailbox?.(change.subject)) ?? null
  if (mailbox === null) return []
  const now = ports.clock.now()
  const isOpen = occasion === 'planned' || occasion === 'soon'
  const link = isOpen ? keepLink(ports, change) : ''
  const values = { occasion, at: now.toISOString(), due: change.dueAt.toISOString(), link }
  const body = {
    to: mailbox.address,
    locale: languageOf(mailbox),
    content: 'account_deletion',
    values,
  } as const
  return [newMail(ports, body, { now, usefulSeconds: limits.securityNoticeSeconds })]
}

const sealingContext = 'account_deletion:keep'
const linkSchema = z.object({ subject: subjectIdSchema, createdAt: z.number() })

/** Makes the value of the link. It works for this deletion only, not for a later one of the same user. */
export function keepLink({ sealing }: Pick<Ports, 'sealing'>, { subject, createdAt }: PlannedChange): string {
  return sealing.seal(JSON.stringify({ subject, createdAt: createdAt.getTime() }), sealingContext)
}

export type OpenedKeepLink = { readonly subject: SubjectId; readonly createdAt: number }

/** Opens the value of a link; `null` if this server did not make it. */
export function openKeepLink({ sealing }: Pick<Ports, 'sealing'>, link: string): OpenedKeepLink | null {
  const opened = linkSchema.safeParse(openSealedJson(sealing, link, sealingContext))
  return opened.success ? opened.data : null
}
