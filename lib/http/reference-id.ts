/** Short ids that a person can read out over the telephone: no 0, 1, I, L, O or U. */

const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const pattern = /^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/
const within = /(?<![\w-])[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}(?![\w-])/i

/** Drawn many at a time: asking the system for each id costs more than all the rest of it. */
const drawn = { bytes: new Uint8Array(1024), used: 1024 }

/** A fresh reference such as `7QK4-M2P9`. It names a log line and opens nothing, so a slight bias is fine. */
export function createReferenceId(): string {
  let letters = ''
  for (const byte of drawBytes(8)) letters += alphabet.charAt(byte % alphabet.length)
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

export function isReferenceId(value: string): boolean {
  return pattern.test(value)
}

/** The first one in what somebody pasted, in its own spelling; `null` when there is none. */
export function referenceIdIn(text: string): string | null {
  return within.exec(text)?.[0].toUpperCase() ?? null
}

function drawBytes(count: number): Uint8Array {
  if (drawn.used + count > drawn.bytes.length) {
    crypto.getRandomValues(drawn.bytes)
    drawn.used = 0
  }
  drawn.used += count
  return drawn.bytes.subarray(drawn.used - count, drawn.used)
}
