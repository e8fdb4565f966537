/** The names of days and hours below charts. */
import type { Overview } from '#lib/admin/overview/overview.ts'
import type { Period } from '#lib/admin/overview/period.ts'
import type { TimeAxis } from '../_ui/charts/stacked-bars.tsx'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

export function timeAxis({ period: { unit, starts, current }, known }: Overview): TimeAxis {
  const format = unit === 'day' ? day : hour
  return { unit, current, known, names: starts.map(start => format.format(start)) }
}

/** Which days these are, and what they are compared with. */
export function periodSentence({ starts, unit, current, beforeUntil }: Period, isCompared: boolean): string {
  const [first, last] = [starts[0], starts[unit === 'day' ? current : 0]]
  if (first === undefined || last === undefined) return ''
  const days = unit === 'hour' ? day.format(first) : `${day.format(first)} to ${day.format(last)}`
  const until = `until ${hour.format(beforeUntil)}`
  const before = unit === 'hour' ? 'the day before' : `the ${starts.length} days before`
  return `${days}, in UTC${isCompared ? `; compared with ${before}, ${until} like today` : ''}.`
}
