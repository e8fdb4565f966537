/**
 * Request IDs such as `7QK4-M2P9` in the forms in which users type and paste them. `lib/http/request-id.ts` creates
 * them.
 */

const letters = '[2-9A-HJKMNP-TV-Z]{4}'
const within = new RegExp(`(?<![\\w-])${letters}-${letters}(?![\\w-])`, 'i')
const typed = new RegExp(`^\\s*(${letters})[\\s\\p{Pd}]{0,3}(${letters})\\s*$`, 'iu')

export function isRequestId(value: string): boolean {
  return new RegExp(`^${letters}-${letters}$`).test(value)
}

/**
 * Returns the request ID if the text contains nothing else; otherwise `null`. The ID may have small letters, and a
 * different dash, spaces or nothing between its halves.
 */
export function readRequestId(text: string): string | null {
  const [, first, second] = typed.exec(text) ?? []
  return first === undefined || second === undefined ? null : `${first}-${second}`.toUpperCase()
}

/** Returns the first request ID in pasted text, in upper case; `null` when there is none. */
export function requestIdIn(text: string): string | null {
  return within.exec(text)?.[0].toUpperCase() ?? readRequestId(text)
}
