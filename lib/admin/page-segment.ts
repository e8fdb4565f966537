/** One thing's name as a segment of an address of the dashboard. */

/** Pages of the dashboard whose addresses could also be ids. */
const taken: ReadonlySet<string> = new Set(['new', 'deleted'])
const mark = '~'
const encodedMark = '~='

/** Browsers resolve a dot segment also in its encoded form, and Next answers `.rsc` with the data of a page. */
const isChangedOnTheWay = /(^|\/)\.{1,2}(\/|$)|\.rsc$/

/**
 * The address of an object. `~` precedes a name that a page has, and a name that begins with `~`; `~=` precedes the base64url of
 * a name that browsers or Next would change.
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
