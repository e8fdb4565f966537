/** The contents of mails in words. */
import { en } from '#lib/i18n/messages/en.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'

const contentNames: Readonly<Record<string, string>> = {
  test: 'Test',
  security_change: 'Security notice',
  reset_password: 'Forgotten password',
  user_invitation: 'Invitation',
  register: 'Registration',
  change_email: 'New email address',
  account_deletion: 'Deletion of the account',
}

/** Names the content of a mail; a mail about a change of the account also by its subject. */
export function mailText({
  content,
  detail,
}: {
  readonly content: string
  readonly detail: string | null
}): string {
  const name = contentNames[content] ?? content
  const subject = detail === null ? null : subjectOf(detail)
  return subject === null ? name : `${name}: ${subject}`
}

function subjectOf(change: string): string | null {
  const { changes } = en.mail.security
  const words: unknown = Object.hasOwn(changes, change) ? Reflect.get(changes, change) : null
  return isRecord(words) && typeof words.subject === 'string' ? words.subject : null
}
