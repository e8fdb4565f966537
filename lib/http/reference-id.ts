/** Short ids that a person can read out over the telephone: no 0, 1, I, L, O or U. */

const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const pattern = /^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/
const within = /(?<![\w-])[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}(?![\w-])/i

/** What stands on one side of the dash. */
const letters = 4
const halves = alphabet.length ** letters

/**
 * So many in a row begin alike, and the index of a database takes them on a few of its pages; otherwise each would have
 * one of its own rewritten. Which beginning is drawn, so across blocks and nodes two are as rarely the same as if each
 * were drawn whole.
 */
const blockSize = 256
/** With this one, any two of a block differ in at least two letters. */
const stride = 314_161
const block = { beginning: 0, ending: 0, left: 0 }

/** A fresh reference such as `7QK4-M2P9`. It names a log line and opens nothing, so it may be guessed. */
export function createReferenceId(): string {
  if (block.left === 0) {
    const [beginning = 0, ending = 0] = crypto.getRandomValues(new Uint32Array(2))
    Object.assign(block, { beginning: beginning % halves, ending: ending % halves, left: blockSize })
  }
  block.ending = (block.ending + stride) % halves
  block.left -= 1
  return `${lettersOf(block.beginning)}-${lettersOf(block.ending)}`
}

export function isReferenceId(value: string): boolean {
  return pattern.test(value)
}

/** The first one in what somebody pasted, in its own spelling; `null` when there is none. */
export function referenceIdIn(text: string): string | null {
  return within.exec(text)?.[0].toUpperCase() ?? null
}

function lettersOf(half: number): string {
  let text = ''
  for (let rest = half, count = 0; count < letters; count++) {
    text = alphabet.charAt(rest % alphabet.length) + text
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}
