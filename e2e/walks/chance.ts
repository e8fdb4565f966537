/** Random choices that a seed repeats. */
export type Chance = {
  /** A whole number from 0 to below `limit`. */
  readonly below: (limit: number) => number
  /** One of the values; throws if there is none. */
  readonly one: <T>(values: readonly T[]) => T
}

/** The generator Mulberry32. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    below,
    one: <T>(values: readonly T[]): T => {
      const value = values[below(values.length)]
      if (value === undefined) throw new Error('there is nothing to choose from')
      return value
    },
  }
}
