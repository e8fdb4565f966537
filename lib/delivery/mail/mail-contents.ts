/** The texts of each mail, in the language of its receiver. */
import { dirOf, type Locale, negotiateLocale } from '#lib/i18n/locales.ts'
import { type Translate, translate } from '#lib/i18n/translate.ts'
import type { MailContent } from '#lib/pages/mail/mail-document.tsx'
import type { MailBody, MailContentName } from '#lib/ports/mail.ts'

type Words = Pick<MailContent, 'subject' | 'paragraphs' | 'action' | 'code' | 'reason'>
type Writing = {
  readonly t: Translate
  readonly siteName: string
  readonly values: MailBody['values']
}

const contents: Readonly<Record<MailContentName, (writing: Writing) => Words>> = {
  test: ({ t, siteName }) => ({
    subject: t('mail.test.subject', { site: siteName }),
    paragraphs: [t('mail.test.body', { site: siteName })],
    reason: t('mail.test.reason', { site: siteName }),
  }),
}

/** Writes the content of a mail. A language without texts is replaced by the default one. */
export function mailContent(body: MailBody, siteName: string): MailContent {
  const locale: Locale = negotiateLocale({ saved: null, uiLocales: [body.locale], acceptLanguage: null })
  const words = contents[body.content]({ t: translate(locale), siteName, values: body.values })
  return { locale, direction: dirOf(locale), siteName, ...words }
}
