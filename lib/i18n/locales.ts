/** The choice of a page's language. */
import { match } from '@formatjs/intl-localematcher'
import { de } from './messages/de.ts'
import { en } from './messages/en.ts'
import type { Messages } from './messages/messages.ts'

/** The languages in the order of the language menu. To add a language: its file in `messages`, and its name here. */
export const catalogs = { en, de } as const satisfies Readonly<Record<string, Messages>>

export type Locale = keyof typeof catalogs
export const locales: readonly Locale[] = Object.keys(catalogs).filter(isLocale)

const fallback: Locale = 'en'
const longestList = 10
/** The longest tag. RFC 5646 4.4.1: 35 characters are enough for every tag in use. */
const longestTag = 35
const unmatched = 'und'
const rightToLeft: ReadonlySet<string> = new Set(['ar', 'fa', 'he', 'ur'])

export type LanguageWishes = {
  /** The user's choice on an earlier visit. */
  readonly saved: string | null
  /** The languages in `ui_locales` (OpenID Connect Core 3.1.2.1), in order of preference. */
  readonly uiLocales: readonly string[]
  /** The `Accept-Language` header as sent (RFC 9110 12.5.4). */
  readonly acceptLanguage: string | null
}

/**
 * Returns the language: the first source with one of our languages decides (saved choice, `ui_locales`, the browser),
 * otherwise English. Malformed tags are ignored; only the first ten of each source count.
 */
export function negotiateLocale(wishes: LanguageWishes): Locale {
  return (
    readLocale(wishes.saved) ??
    bestOf(wishes.uiLocales) ??
    bestOf(acceptedLanguages(wishes.acceptLanguage)) ??
    fallback
  )
}

/** Parses a stored choice; null when it is not one of our languages. */
export function readLocale(value: string | null | undefined): Locale | null {
  return locales.find(locale => locale === value) ?? null
}

/** Returns the value of `<html dir>`. */
export function dirOf(locale: string): 'ltr' | 'rtl' {
  return rightToLeft.has(locale.split('-')[0] ?? '') ? 'rtl' : 'ltr'
}

function bestOf(tags: readonly string[]): Locale | null {
  const wanted = tags.slice(0, longestList).flatMap(canonicalTag)
  if (wanted.length === 0) return null
  return readLocale(match(wanted, locales, unmatched))
}

function canonicalTag(tag: string): readonly string[] {
  if (tag.length > longestTag) return []
  try {
    return Intl.getCanonicalLocales(tag)
  } catch (error) {
    if (error instanceof RangeError) return []
    throw error
  }
}

function acceptedLanguages(header: string | null): readonly string[] {
  if (header === null) return []
  return header
    .split(',', longestList)
    .map(readRange)
    .filter(range => range.quality > 0 && range.tag !== '*')
    .sort((left, right) => right.quality - left.quality)
    .map(range => range.tag)
}

function readRange(range: string): { tag: string; quality: number } {
  const [tag = '', ...parameters] = range.split(';').map(part => part.trim())
  const weight = parameters.find(parameter => /^q=/i.test(parameter))
  const quality = weight === undefined ? 1 : Number(weight.slice(2))
  return { tag, quality: Number.isFinite(quality) ? quality : 0 }
}

/** Makes a value for each language. */
export function forEachLocale<T>(valueFor: (locale: Locale) => T): Readonly<Record<Locale, T>> {
  const values: Partial<Record<Locale, T>> = {}
  for (const locale of locales) values[locale] = valueFor(locale)
  return values as Record<Locale, T>
}

function isLocale(name: string): name is Locale {
  return Object.hasOwn(catalogs, name)
}
