/** Finds the known name that a user probably meant, and names that look alike. */

/**
 * Returns the nearest candidate, ignoring case and separators; `null` when none is near. At most two letters may
 * differ; one in words of up to three letters, a third of the letters in words of nine or more.
 */
export function closestName(word: string, candidates: Iterable<string>): string | null {
  const sought = plain(word)
  let best: string | null = null
  let bestDistance = furthest(sought) + 1
  for (const candidate of candidates) {
    const distance = editDistance(sought, plain(candidate))
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/**
 * Returns the closest candidate; otherwise the shortest that contains the whole word, if it has four letters or more,
 * as "required-s256" contains "S256"; `null` if there is none.
 */
export function meantName(word: string, candidates: Iterable<string>): string | null {
  const names = [...candidates]
  const near = closestName(word, names)
  if (near !== null || word.length < 4) return near
  const sought = plain(word)
  const holding = names.filter(name => sought !== '' && plain(name).includes(sought))
  return holding.sort((left, right) => left.length - right.length)[0] ?? null
}

/** Returns `"<word>" is not a known <what>`, and the name that was probably meant, if there is one. */
export function unknownName(word: string, what: string, candidates: Iterable<string>): string {
  const meant = meantName(word, candidates)
  const shown = word.length > 60 ? `${word.slice(0, 60)}…` : word
  return `"${shown}" is not a known ${what}${meant === null ? '' : `; did you mean "${meant}"?`}`
}

function furthest(word: string): number {
  return word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3))
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '').slice(0, 60)
}

/** Computes the Levenshtein distance. */
function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1]
    for (const [column, other] of [...right].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1)
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    previous = current
  }
  return previous[right.length] ?? 0
}

const hidden = /[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu
const notWritten = /[^\p{L}\p{N}]/gu

/** The characters that look like each Latin letter, in lower case. Based on Unicode's confusables. */
const passesFor: Readonly<Record<string, string>> = {
  a: 'аαɑ@4ᴀ',
  b: 'вβьʙ',
  c: 'сϲᴄ',
  d: 'ԁđᴅ',
  e: 'еεё3єᴇ',
  g: 'ɡ9ɢ',
  h: 'нһħηʜ',
  j: 'јᴊ',
  k: 'кκᴋ',
  l: 'iıіι1!|ӏłʟɪ',
  m: 'мμᴍ',
  n: 'пνɴո',
  o: '0оοøσօᴏ',
  p: 'рρᴘ',
  q: 'ԛ',
  r: 'гʀ',
  s: '5$ѕꜱ',
  t: 'тτŧ7ᴛ',
  u: 'υцսᴜ',
  v: 'ѵᴠ',
  w: 'ԝωшᴡ',
  x: 'хχ',
  y: 'уγүʏ',
  z: 'ζᴢ',
}

const letterOf: ReadonlyMap<string, string> = new Map(
  Object.entries(passesFor).flatMap(([letter, others]) => [...others].map(other => [other, letter] as const)),
)

/** Whether two names differ only in case, accents, spaces, punctuation, or similar letters; false for empty names. */
export function looksLike(left: string, right: string): boolean {
  const shape = shapeOf(left)
  return shape !== '' && shape === shapeOf(right)
}

function shapeOf(name: string): string {
  const plain = name.normalize('NFKD').replace(hidden, '').toLowerCase()
  const letters = Array.from(plain, character => letterOf.get(character) ?? character).join('')
  return letters.replace(notWritten, '').replaceAll('rn', 'm').replaceAll('vv', 'w')
}
