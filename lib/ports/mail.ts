/** Mails: the stored form of one, and whether this server can send any. */
import type { SubjectId } from '#lib/protocol/ids.ts'
import { eventIdMark } from '#lib/protocol/request-context.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Random, Sealing } from './environment.ts'
import { deliveryContext, type NewDelivery } from './outbox.ts'
import type { Mailbox } from './users.ts'

/** The contents of mails, by name. `lib/delivery/mail/mail-contents.ts` writes each. */
export const mailContentNames = [
  'test',
  'security_change',
  'reset_password',
  'user_invitation',
  'change_email',
  'account_deletion',
  'register',
] as const
export type MailContentName = (typeof mailContentNames)[number]

/** Changes of an account of which its user is informed by mail. Each has its texts in `mail.security.changes`. */
export const securityChanges = [
  'password_changed',
  'password_reset',
  'passkey_added',
  'passkey_removed',
  'authenticator_set',
  'authenticator_removed',
  'recovery_code_used',
  'recovery_codes_replaced',
  'wrong_codes',
  'factors_reset',
  'provider_linked',
  'provider_unlinked',
  'email_changed',
  'email_restored',
  'passkeys_lost',
  'passkeys_lost_removed',
  'passkeys_lost_canceled',
  'new_device',
] as const
export type SecurityChange = (typeof securityChanges)[number]

/** The factors that a reset by an administrator has removed, for the words of its mail. */
export const removedFactors = ['app', 'passkeys', 'both'] as const
export type RemovedFactors = (typeof removedFactors)[number]

/** A change of the address of an account, before it is stored. */
export type ChangedAddress = {
  readonly subject: SubjectId
  /** The new address; `null`: no mail can be sent to it. */
  readonly address: string | null
  /** The language of the user. */
  readonly locale: string
  readonly by: 'user' | 'administrator'
}

/** A mail before it is written. `values`: the texts that its content needs; none of them is markup. */
export type MailBody = {
  readonly to: string
  /** The language of the receiver. */
  readonly locale: string
  readonly content: MailContentName
  readonly values: Readonly<Record<string, string>>
}

/** How mails are sent, without credentials. `folder`: to files of this machine. `off`: none can be sent. */
export type MailState =
  | { readonly kind: 'smtp'; readonly host: string; readonly port: number; readonly from: string }
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'off' }

/** Returns the language of a mail to a user. `asked`: the language of the page on which the user requested the mail. */
export function languageOf({ locale }: Pick<Mailbox, 'locale'>, asked = 'en'): string {
  return locale ?? asked
}

type MailPorts = { readonly random: Pick<Random, 'id'>; readonly sealing: Pick<Sealing, 'seal'> }

/**
 * Makes the message for the outbox. The caller stores it in the transaction of its cause.
 * @param usefulSeconds the time after which the mail is no longer sent
 */
export function newMail(
  { random, sealing }: MailPorts,
  body: MailBody,
  { now, usefulSeconds }: { readonly now: Date; readonly usefulSeconds: number },
): NewDelivery {
  const id = `${eventIdMark(now)}-${random.id()}`
  return {
    ...{ id, kind: 'mail', target: body.to, content: body.content },
    ...(body.content === 'security_change' ? { detail: body.values.change ?? '' } : {}),
    sealedBody: sealing.seal(JSON.stringify(body), deliveryContext(id)),
    createdAt: now,
    deadlineAt: secondsAfter(now, usefulSeconds),
  }
}
