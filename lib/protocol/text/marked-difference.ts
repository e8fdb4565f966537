/** The difference between two texts: the part between their common beginning and their common end. */

/** One of the two texts. `changed` is empty if only the other text has a different part. */
export type Marked = { readonly before: string; readonly changed: string; readonly after: string }

export function markCharacters(left: string, right: string): readonly [Marked, Marked] {
  return markParts(left.split(''), right.split(''))
}

/** Compares whole words, and the spaces between them. */
export function markWords(left: string, right: string): readonly [Marked, Marked] {
  return markParts(left.split(/(\s+)/), right.split(/(\s+)/))
}

function markParts(left: readonly string[], right: readonly string[]): readonly [Marked, Marked] {
  const most = Math.min(left.length, right.length)
  const start = lengthOfEqual(most, index => left[index] === right[index])
  const end = lengthOfEqual(most - start, index => left.at(-1 - index) === right.at(-1 - index))
  const marked = (parts: readonly string[]): Marked => ({
    before: parts.slice(0, start).join(''),
    changed: parts.slice(start, parts.length - end).join(''),
    after: parts.slice(parts.length - end).join(''),
  })
  return [marked(left), marked(right)]
}

/** Counts the indexes from 0 until the first one that is not equal, up to `most`. */
function lengthOfEqual(most: number, isEqual: (index: number) => boolean): number {
  let length = 0
  while (length < most && isEqual(length)) length += 1
  return length
}
