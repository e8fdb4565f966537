/** Request IDs: short enough to read out over the telephone, without 0, 1, I, L, O or U. */

const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The number of letters on each side of the dash. */
const letters = 4
/** The number of different texts on one side of the dash. */
const sideCount = alphabet.length ** letters

/** The time in which request IDs have the same first side. */
const slotMs = 100
/**
 * The step between second sides: up to 3,540 IDs of one slot are all different, and any two of them differ in at least
 * two letters.
 */
const stride = 314_161
const latest = { slot: -1, second: 0 }

/**
 * Makes a new request ID such as `7QK4-M2P9`. The first side is the time, so that IDs made together are near each other
 * in the database's index; the second side starts at a random position in each slot. A request ID does not give access
 * to anything, so it may be guessable.
 */
export function createRequestId(now: number = Date.now()): string {
  const slot = Math.floor(now / slotMs) % sideCount
  if (slot === latest.slot) latest.second = (latest.second + stride) % sideCount
  else Object.assign(latest, { slot, second: randomSide() })
  return `${lettersOf(slot)}-${lettersOf(latest.second)}`
}

function randomSide(): number {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  return drawn % sideCount
}

function lettersOf(side: number): string {
  let text = ''
  for (let rest = side, count = 0; count < letters; count++) {
    text = alphabet.charAt(rest % alphabet.length) + text
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}
