/** Whether two names look the same to a person in a hurry. Rough on purpose: it need not read, only refuse. */

const hidden = /[\p{M}\p{C}\p{Default_Ignorable_Code_Point}]/gu
const notWritten = /[^\p{L}\p{N}]/gu

/** Letters and what passes for them, in lower case. After Unicode's confusables, for Latin names. */
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

/** True for names that differ in case, accents, blanks, signs, or letters that pass for each other; false for empty ones. */
export function looksLike(left: string, right: string): boolean {
  const shape = shapeOf(left)
  return shape !== '' && shape === shapeOf(right)
}

function shapeOf(name: string): string {
  const plain = name.normalize('NFKD').replace(hidden, '').toLowerCase()
  const letters = Array.from(plain, character => letterOf.get(character) ?? character).join('')
  return letters.replace(notWritten, '').replaceAll('rn', 'm').replaceAll('vv', 'w')
}
