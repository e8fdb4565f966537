/** Writes numbers as text, without a line break between a number and its unit. */

const digits = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export function numberText(value: number): string {
  return digits.format(value)
}

/** A short number for axes, such as `1.5K`. */
export function shortNumber(value: number): string {
  return short.format(value)
}

/** A share in whole percents. `0%` and `100%` are exact. */
export function percentText(share: number): string {
  if (share > 0 && share < 0.01) return 'under 1%'
  if (share < 1 && share > 0.99) return 'over 99%'
  return `${Math.round(share * 100)}%`
}

/** The change of a number in percent, or `unchanged`; `null` if only the earlier number is 0. */
export function changeText(now: number, before: number): string | null {
  if (before === 0) return now === 0 ? 'unchanged' : null
  const percents = Math.round(((now - before) / before) * 100)
  if (percents === 0) return 'unchanged'
  return `${percents > 0 ? '+' : '−'}${numberText(Math.abs(percents))}%`
}

/** A duration, such as `5 ms` or `1.2 s`. */
export function durationText(milliseconds: number): string {
  return milliseconds < 1000
    ? `${numberText(milliseconds)}\u00a0ms`
    : `${numberText(milliseconds / 1000)}\u00a0s`
}

const steps = [1, 1.2, 1.6, 2, 3, 4, 6, 8, 10] as const

/** The end of an axis: the next even round number, so that the middle of the axis is a whole number. */
export function niceCeiling(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  const ends = steps.map(step => Math.round(step * power)).filter(end => end % 2 === 0)
  return ends.find(end => end >= most) ?? 10 * power
}
