/** The kinds of messages, and how each is sent. */
import type { MailSettings } from '#lib/config/mail-settings.ts'
import { mailHtml, mailText } from '#lib/pages/mail/mail-document.tsx'
import { readMailBody } from './mail/mail-body.ts'
import { mailContent } from './mail/mail-contents.ts'
import { createMailer } from './mail/mailer.ts'
import type { SendMessages } from './send-deliveries.ts'

type KindSettings = { readonly mail: MailSettings; readonly siteName: string; readonly issuer: string }

/** Returns the functions that send messages of the kinds that this server is configured to send. */
export function messageSenders(settings: KindSettings): SendMessages {
  const mailer = createMailer(settings.mail, settings)
  if (mailer === null) return {}
  return {
    mail: async ({ id, body, signal }) => {
      const read = readMailBody(body)
      const content = mailContent(read, settings)
      const { subject } = content
      const written = { id, to: read.to, subject, text: mailText(content), html: mailHtml(content) }
      return mailer(written, signal)
    },
  }
}
