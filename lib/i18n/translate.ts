/** The text function of each language, made once. */
import { createTranslator } from 'use-intl/core'
import { catalogues, forEachLocale, type Locale } from './locales.ts'
import type { MessageKey, Messages } from './messages/messages.ts'

export type { MessageKey }

/** Plain values for the placeholders of a message. They are inserted as they are and never read as syntax. */
export type MessageValues = Readonly<Record<string, string | number | Date>>
export type Translate = (key: MessageKey, values?: MessageValues) => string

const translators = forEachLocale(translatorOf)

/** The text function of a language. A missing value never breaks a page: the key is shown instead. */
export function translate(locale: Locale): Translate {
  return translators[locale]
}

function translatorOf(locale: Locale): Translate {
  const messages: Messages = catalogues[locale]
  const translator = createTranslator({ locale, messages, timeZone: 'UTC', onError: () => {} })
  return (key, values) => translator(key, values && { ...values })
}
