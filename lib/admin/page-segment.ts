/** One thing's name as a segment of an address of the dashboard. */

/** Pages of the dashboard whose addresses could also be ids. */
const taken: ReadonlySet<string> = new Set(['new', 'deleted'])
const mark = '~'
const encodedMark = '~='

/** Browsers resolve a dot segment also in its encoded form, and Next answers `.rsc` with the data of a page. */
const isChangedOnTheWay = /(^|\/)\.{1,2}(\/|$)|\.rsc$/

/**
 * A thing may be called like a page: then a mark goes before its name, and before names that begin with it. Names that would not
 * arrive as they are follow a mark in base64url.
 */
export function pageSegment(name: string): string {
  if (isChangedOnTheWay.test(name)) return encodedMark + Buffer.from(name).toString('base64url')
  const isMarked = taken.has(name) || name.startsWith(mark)
  return encodeURIComponent(isMarked ? mark + name : name)
}

/** The name in a decoded segment. */
export function nameInSegment(segment: string): string {
  if (segment.startsWith(encodedMark))
    return Buffer.from(segment.slice(encodedMark.length), 'base64url').toString()
  return segment.startsWith(mark) ? segment.slice(mark.length) : segment
}
