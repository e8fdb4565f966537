/** The end of an axis: the next 1, 2 or 5 with its noughts, and even, so that the middle is a whole number. */
export function niceCeiling(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  const step = [1, 2, 4, 10].find(it => it * power >= most) ?? 10
  return Math.max(2, step * power)
}
