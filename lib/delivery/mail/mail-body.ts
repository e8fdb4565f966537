/** Reads the stored body of a mail. */
import { z } from 'zod'
import { type MailBody, mailContentNames } from '#lib/ports/mail.ts'

const mailBodySchema: z.ZodType<MailBody> = z.object({
  to: z.string(),
  locale: z.string(),
  content: z.enum(mailContentNames),
  values: z.record(z.string(), z.string()),
})

/** Parses the body. Throws a ZodError if a different release stored it in a form that this one does not know. */
export function readMailBody(text: string): MailBody {
  return mailBodySchema.parse(JSON.parse(text))
}
