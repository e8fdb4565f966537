/** Short ids that a person can read out over the telephone: no 0, 1, I, L, O or U. */

const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const pattern = /^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/

/** A fresh reference such as `7QK4-M2P9`. It names a log line and opens nothing, so a slight bias is fine. */
export function createReferenceId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  const letters = Array.from(bytes, byte => alphabet[byte % alphabet.length]).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

export function isReferenceId(value: string): boolean {
  return pattern.test(value)
}
