/** The folded words under which people and clients are stored and asked for: case and accents do not matter. */
import { search } from '#lib/config/search-limits.ts'

/** One line in lower case without accents; every run of blanks and signs of control is one space. */
export function foldedText(text: string): string {
  const plain = text.slice(0, search.characters).normalize('NFKD').toLowerCase().normalize('NFKD')
  const letters = Array.from(plain.replace(accents, ''), letter => writtenOut[letter] ?? letter)
  return letters.join('').replace(blanks, ' ').trim()
}

/** Letters with strokes and joined letters, which Unicode does not take apart. */
const writtenOut: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}
const accents = /\p{M}/gu
const blanks = /[\p{Z}\p{C}]+/gu
const outerSigns = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/** `null`: nothing is asked for. Empty: it has no letter or digit, so nothing can be found by it. */
export function searchWords(asked: string | null): readonly string[] | null {
  if (asked === null || asked.trim() === '') return null
  return withoutBeginnings(wordsOf(asked).map(shortened)).slice(0, search.wordsAsked)
}

/** The digits of a telephone number, without the sign or the zeros of an international prefix. */
export function phoneDigits(text: string): string | null {
  if (!/^\s*\+?[\d\s()./-]+$/.test(text)) return null
  const digits = text.replace(/\D/g, '').replace(/^00/, '')
  return digits.length < search.phoneDigits ? null : shortened(digits)
}

/** Each word from each of its parts on: `ann-marie` is found by `ann-m` and by `marie`. */
export function textTerms(text: string): readonly string[] {
  return wordsOf(text).flatMap(endings)
}

/** Like any word, but never by what follows the last dot: half of the world ends in `com`. */
export function emailTerms(address: string): readonly string[] {
  return wordsOf(address).flatMap(word => {
    const found = endings(word)
    return found.length > 1 ? found.slice(0, -1) : found
  })
}

/** What is stored for one owner, the most telling first. Prefix search finds the beginnings of each by itself. */
export function storedTerms(candidates: readonly string[]): readonly string[] {
  return withoutBeginnings(candidates.map(shortened)).slice(0, search.termsStored)
}

function wordsOf(text: string): readonly string[] {
  return foldedText(text)
    .split(' ')
    .map(word => word.replace(outerSigns, ''))
    .filter(word => word !== '')
}

function endings(word: string): readonly string[] {
  return Array.from(word.matchAll(/[\p{L}\p{N}]+/gu), part => word.slice(part.index))
}

/** NOTE: by code point; a lone surrogate is invalid in a database. */
function shortened(word: string): string {
  return Array.from(word).slice(0, search.termCharacters).join('')
}

/** Each once, and none that is the beginning of another. */
function withoutBeginnings(words: readonly string[]): readonly string[] {
  const distinct = [...new Set(words)]
  return distinct.filter(word => !distinct.some(other => other !== word && other.startsWith(word)))
}
