/** One thing's name as a segment of an address of the dashboard. */

/** Pages of the dashboard whose addresses could also be ids. */
const taken: ReadonlySet<string> = new Set(['new', 'deleted'])
const mark = '~'

/** A thing may be called like a page: then a mark goes before its name, and before names that begin with it. */
export function pageSegment(name: string): string {
  const isMarked = taken.has(name) || name.startsWith(mark)
  return encodeURIComponent(isMarked ? mark + name : name)
}

/** The name in a decoded segment. */
export function nameInSegment(segment: string): string {
  return segment.startsWith(mark) ? segment.slice(mark.length) : segment
}
