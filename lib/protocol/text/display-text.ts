/** Makes text from outside safe to show: names of apps and users, addresses. */
import { isLoopbackHost } from './addresses.ts'

/**
 * Characters that can hide, reorder or imitate text: controls, format, private use, unassigned, and invisible letters.
 */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/gu
const spaces = /[\s\p{Z}]+/gu
/** Matches more than three marks stacked on one letter, which would run over the lines above. */
const stackedMarks = /(\p{M}{3})\p{M}+/gu
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Returns one line of plain text of at most `longest` visible characters, cut with an ellipsis. Text that consists only
 * of hidden characters becomes empty: see `displayName`.
 */
export function displayText(text: string, longest: number): string {
  // Eight code units are enough for any ordinary character
  const start = text.slice(0, longest * 8)
  const visible = start.replace(spaces, ' ').replace(hidden, '').normalize('NFC').replace(stackedMarks, '$1')
  return cut(visible.replace(spaces, ' ').trim(), longest)
}

/** Returns the name of a client or user, or `fallback` (an identifier) if the name would be empty. */
export function displayName(name: string | null, fallback: string): string {
  const shown = name === null ? '' : displayText(name, longestName)
  return shown === '' ? displayText(fallback, longestName) : shown
}

/**
 * Returns one or two letters or digits that replace a missing picture; for a name without any its first emoji, or `?`.
 */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._@-]+/u).filter(word => /[\p{L}\p{N}]/u.test(word))
  const [first, second] = words.map(firstLetter)
  return `${first ?? emojiIn(name) ?? '?'}${second ?? ''}`.toUpperCase()
}

function emojiIn(name: string): string | undefined {
  if (!/\p{RGI_Emoji}/v.test(name)) return undefined
  const characters = Array.from(graphemes.segment(name), part => part.segment)
  return characters.find(character => /^\p{RGI_Emoji}$/v.test(character))
}

/** Returns a link from metadata if a page may contain it: `https`, or `http` to this machine, without credentials. */
export function displayHref(address: string | null): string | null {
  if (address === null || !URL.canParse(address)) return null
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') return null
  if (url.protocol === 'https:') return url.href
  return url.protocol === 'http:' && isLoopbackHost(url.hostname) ? url.href : null
}

const longestName = 60

function cut(text: string, longest: number): string {
  // A character has at least one code unit. Counting characters takes longer than the rest of this file
  if (text.length <= longest) return text
  const characters = Array.from(graphemes.segment(text), part => part.segment)
  if (characters.length <= longest) return text
  return `${characters
    .slice(0, longest - 1)
    .join('')
    .trimEnd()}…`
}

function firstLetter(word: string): string {
  // ASCII needs no segmentation, which takes microseconds
  if (/^[!-~]*$/.test(word)) return /[A-Za-z0-9]/.exec(word)?.[0] ?? ''
  const letter = Array.from(graphemes.segment(word), part => part.segment).find(part =>
    /[\p{L}\p{N}]/u.test(part),
  )
  return letter ?? ''
}

/**
 * Capitalizes the first letter for the beginning of a sentence: `May not`. A name with an underscore at the
 * beginning (`code_verifier does not match`) is unchanged.
 */
export function capitalized(words: string): string {
  if (/^[a-z]+_/.test(words)) return words
  return words.charAt(0).toUpperCase() + words.slice(1)
}
