/** Where two texts differ: what they share at both ends stays quiet, the rest is marked. */
export type Marked = { readonly before: string; readonly changed: string; readonly after: string }

/** `left` and `right` each as a common beginning, what differs, and a common end. */
export function markDifference(
  left: string,
  right: string,
): { readonly left: Marked; readonly right: Marked } {
  const start = sharedStart(left, right)
  const end = sharedEnd(left.slice(start), right.slice(start))
  return { left: marked(left, start, end), right: marked(right, start, end) }
}

/** The registered text that is nearest to what was sent: the one that shares most with it. */
export function nearest(sent: string, registered: readonly string[]): string | null {
  const ranked = registered.toSorted((one, other) => distance(sent, one) - distance(sent, other))
  return ranked[0] ?? null
}

function distance(left: string, right: string): number {
  const start = sharedStart(left, right)
  const end = sharedEnd(left.slice(start), right.slice(start))
  return Math.max(left.length, right.length) - start - end
}

function marked(text: string, start: number, end: number): Marked {
  const cut = text.length - end
  return { before: text.slice(0, start), changed: text.slice(start, cut), after: text.slice(cut) }
}

function sharedStart(left: string, right: string): number {
  let length = 0
  while (length < Math.min(left.length, right.length) && left[length] === right[length]) length += 1
  return length
}

function sharedEnd(left: string, right: string): number {
  let length = 0
  const longest = Math.min(left.length, right.length)
  while (length < longest && left.at(-1 - length) === right.at(-1 - length)) length += 1
  return length
}
