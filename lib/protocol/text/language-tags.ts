/** Language tags (BCP 47), and the choice of the text in a language among several. */
import { z } from 'zod'

/** A language tag. RFC 5646 4.4.1: 35 characters are enough for every tag in use. */
export const languageTagSchema = z
  .string()
  .max(35)
  .refine(
    tag => canonicalTag(tag) === tag,
    'must be a language tag as BCP 47 spells it: "de", "pt-BR", "zh-Hant"',
  )

/** Whether the text is a language tag, in any spelling. */
export function isLanguageTag(text: string): boolean {
  return canonicalTag(text) !== null
}

/** Returns the canonical form; `null` if the text is not a language tag. */
function canonicalTag(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/**
 * Returns the value of the best tag (RFC 4647 3.4): the tag itself, or with fewer subtags; otherwise the first one of
 * the same language, because a different country's words are closer than a different language's. `null`: no tag has
 * this language.
 */
export function inLanguage<T>(texts: Readonly<Record<string, T>>, language: string): T | null {
  const subtags = language.split('-')
  const ranges = subtags.map((_last, dropped) => subtags.slice(0, subtags.length - dropped).join('-'))
  const tags = Object.keys(texts)
  const found =
    ranges.find(range => tags.includes(range)) ?? tags.find(tag => tag.split('-')[0] === subtags[0])
  return found === undefined ? null : (texts[found] ?? null)
}
