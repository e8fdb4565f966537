/** A random number generator with a fixed seed, so that two runs measure the same rows. */

export type Chance = {
  /** Returns an integer from 0 to `end` - 1. */
  readonly below: (end: number) => number
  /**
   * Returns an integer from 0 to `end` - 1. Small values are far more frequent, like a few names and apps in real data.
   */
  readonly skewed: (end: number) => number
  readonly word: (length: number) => string
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Creates a linear congruential generator (constants of Numerical Recipes), which is random enough for sample rows. */
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
