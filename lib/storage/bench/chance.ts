/** Chance that falls the same way every time, so that two runs measure the same rows. */

export type Chance = {
  /** Below `end`. */
  readonly below: (end: number) => number
  /** Some come much more often than others, as names and apps do. */
  readonly skewed: (end: number) => number
  readonly word: (length: number) => string
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** A linear congruential generator (Numerical Recipes): plenty for rows. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
  const below = (end: number) => Math.floor(next() * end)
  return {
    below,
    skewed: end => Math.floor(next() ** 3 * end),
    word: length => Array.from({ length }, () => letters[below(letters.length)]).join(''),
  }
}
