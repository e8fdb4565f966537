/** Numbers as people read them. No line breaks between a number and its percent sign. */

const digits = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

export function numberText(value: number): string {
  return digits.format(value)
}

/** For axes: `1.5K`. */
export function shortNumber(value: number): string {
  return short.format(value)
}

/** A share as whole percents; never `0 %` or `100 %` unless it is. */
export function percentText(share: number): string {
  if (share > 0 && share < 0.01) return 'under 1\u00a0%'
  if (share < 1 && share > 0.99) return 'over 99\u00a0%'
  return `${Math.round(share * 100)}\u00a0%`
}

/** How much more or less than before; `null` where nothing was before. */
export function changeText(now: number, before: number): string | null {
  if (before === 0) return now === 0 ? 'the same' : null
  const percents = Math.round(((now - before) / before) * 100)
  if (percents === 0) return 'the same'
  return `${numberText(Math.abs(percents))}\u00a0% ${percents > 0 ? 'more' : 'less'}`
}
