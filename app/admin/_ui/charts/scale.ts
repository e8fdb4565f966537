const steps = [1, 1.2, 1.6, 2, 3, 4, 6, 8, 10] as const

/** The end of an axis: the next round number, and even, so that the middle is a whole number. */
export function niceCeiling(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  const ends = steps.map(step => Math.round(step * power)).filter(end => end % 2 === 0)
  return ends.find(end => end >= most) ?? 10 * power
}
