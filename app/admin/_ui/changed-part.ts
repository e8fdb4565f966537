/** Finds the changed part of two texts: the words between those with which both begin and those with which both end. */

export type ChangedPart = {
  readonly start: string
  readonly removed: string
  readonly added: string
  readonly end: string
}

/** Compares whole words. `start` and `end` are empty if the texts do not share a word there. */
export function changedPart(before: string, after: string): ChangedPart {
  const [old, current] = [wordsOf(before), wordsOf(after)]
  const most = Math.min(old.length, current.length)
  const first = lengthOfEqual(most, index => old[index] === current[index])
  const last = lengthOfEqual(most - first, index => old.at(-1 - index) === current.at(-1 - index))
  return {
    start: old.slice(0, first).join(''),
    removed: old.slice(first, old.length - last).join(''),
    added: current.slice(first, current.length - last).join(''),
    end: old.slice(old.length - last).join(''),
  }
}

/** Splits a text into its words and the spaces between them. */
function wordsOf(text: string): readonly string[] {
  return text.split(/(\s+)/)
}

/** The number of equal items from index 0 on, at most `most`. */
function lengthOfEqual(most: number, isEqual: (index: number) => boolean): number {
  let length = 0
  while (length < most && isEqual(length)) length += 1
  return length
}
