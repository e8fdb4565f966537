/** Titles that say what a chart shows. */
import type { Daily } from '#lib/admin/overview/overview.ts'

export function signInFinding({ series }: Daily): string {
  const most = busiest(series)
  if (most === null) return 'Nobody signed in yet'
  return `Most people sign in ${most === 'pwd' ? 'with a password' : `by ${most === 'external' ? 'an identity provider' : most}`}`
}

export function failureFinding({ series }: Daily): string {
  const most = busiest(series)
  return most === null ? 'Nothing was refused' : `The most frequent refusal: ${most.replaceAll('_', ' ')}`
}

function busiest(series: Daily['series']): string | null {
  const sums = series.map(({ label, values }) => ({
    label,
    sum: values.reduce((sum, value) => sum + value, 0),
  }))
  return sums.toSorted((left, right) => right.sum - left.sum)[0]?.label ?? null
}
