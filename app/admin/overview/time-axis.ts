/** The names of days and hours below charts. */
import type { Overview } from '#lib/admin/overview/overview.ts'
import type { TimeAxis } from '../_ui/charts/stacked-bars.tsx'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })

export function timeAxis({ period: { unit, starts, current }, known }: Overview): TimeAxis {
  const format = unit === 'day' ? day : hour
  return { unit, current, known, names: starts.map(start => format.format(start)) }
}

/** Which days these are, and what they are compared with, or why with nothing. */
export function periodSentence({ period, signIns, countedSince }: Overview): string {
  const { starts, unit, current, beforeUntil } = period
  const [first, last] = [starts[0], starts[unit === 'day' ? current : 0]]
  if (first === undefined || last === undefined) return ''
  const days = unit === 'hour' ? day.format(first) : `${day.format(first)} to ${day.format(last)}`
  const before = unit === 'hour' ? 'the day before' : `the ${starts.length} days before`
  if (signIns.before !== null)
    return `${days}, compared with ${before}; both until ${hour.format(beforeUntil)} UTC.`
  if (countedSince === null) return `${days}, UTC. Nothing was counted yet.`
  return `${days}, UTC. Counting began on ${day.format(countedSince)}, so there is nothing to compare with yet.`
}
