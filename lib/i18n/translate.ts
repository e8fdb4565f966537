/** The text function of each language, created once. */
import { createTranslator } from 'use-intl/core'
import { catalogs, forEachLocale, type Locale } from './locales.ts'
import type { MessageKey, Messages } from './messages/messages.ts'

export type { MessageKey }

/**
 * Plain values for the placeholders of a message. Texts are inserted unchanged and never parsed as syntax; numbers and
 * dates are formatted.
 */
export type MessageValues = Readonly<Record<string, string | number | Date>>
export type Translate = (key: MessageKey, values?: MessageValues) => string

const translators = forEachLocale(translatorOf)

/** Returns the text function of a language. A missing value never breaks a page: the key is shown instead. */
export function translate(locale: Locale): Translate {
  return translators[locale]
}

function translatorOf(locale: Locale): Translate {
  const messages: Messages = catalogs[locale]
  const translator = createTranslator({ locale, messages, timeZone: 'UTC', onError: () => {} })
  const simple = new Map(simpleMessages(messages))
  const latest = new Map<MessageKey, Formatted>()
  return (key, values) => {
    const plain = filled(simple.get(key) ?? [], values)
    if (plain !== null) return plain
    if (values === undefined) return translator(key)
    const known = latest.get(key)
    if (known !== undefined && areSame(known.values, values)) return known.text
    const text = translator(key, { ...values })
    latest.set(key, { values, text })
    return text
  }
}

/** The last text of a message that `filled` cannot fill, such as a plural: most of them always get the same values. */
type Formatted = { readonly values: MessageValues; readonly text: string }

function areSame(left: MessageValues, right: MessageValues): boolean {
  const names = Object.keys(left)
  return names.length === Object.keys(right).length && names.every(name => left[name] === right[name])
}

/** Texts and names of placeholders, alternating. */
type SimpleMessage = readonly string[]

/**
 * Returns the messages that contain only text and placeholders. NOTE: a page has about fifteen of them, and formatting
 * them with use-intl takes longer than rendering the page.
 */
function simpleMessages(messages: object, path = ''): readonly (readonly [string, SimpleMessage])[] {
  return Object.entries(messages).flatMap(([name, message]) => {
    if (typeof message !== 'string') return simpleMessages(message, `${path}${name}.`)
    const isSimple = /^([^{}<']|\{\w+\})+$/.test(message)
    return isSimple ? [[`${path}${name}`, message.split(/\{(\w+)\}/)] as const] : []
  })
}

/** Fills in the values; `null` when a value is missing or not text, or the result is empty, as without a message. */
function filled(message: SimpleMessage, values: MessageValues = {}): string | null {
  let text = ''
  for (const [index, part] of message.entries()) {
    const value = index % 2 === 0 ? part : values[part]
    if (typeof value !== 'string') return null
    text += value
  }
  return text === '' ? null : text
}
