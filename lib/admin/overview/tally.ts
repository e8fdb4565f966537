/** Sums of counted rows, each in one walk over them. */
import type { CountedRow } from './counted-rows.ts'

export type Ranked = ReadonlyArray<{ readonly label: string; readonly count: number }>
/** One line or layer of a chart: a value for each bucket. */
export type Series = { readonly label: string; readonly total: number; readonly values: readonly number[] }

/** More lines than this are unreadable. */
const mostSeries = 5
/** The rest together. */
export const others = 'others'

/** All of them together. */
export function total(rows: readonly CountedRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0)
}

/** One sum for each bucket, in order. */
export function valuesOf(rows: readonly CountedRow[], buckets: number): readonly number[] {
  const values = Array.from({ length: buckets }, () => 0)
  for (const { bucket, count } of rows) values[bucket] = (values[bucket] ?? 0) + count
  return values
}

/** The most frequent first. */
export function ranked(rows: readonly CountedRow[]): Ranked {
  const sums = new Map<string, number>()
  for (const { label, count } of rows) sums.set(label, (sums.get(label) ?? 0) + count)
  return [...sums]
    .map(([label, count]) => ({ label, count }))
    .toSorted((left, right) => right.count - left.count || (left.label < right.label ? -1 : 1))
}

/** The most frequent labels each, the rest together. */
export function seriesOf(rows: readonly CountedRow[], buckets: number): readonly Series[] {
  const labels = ranked(rows).map(({ label }) => label)
  const shown = new Set(labels.length <= mostSeries ? labels : labels.slice(0, mostSeries - 1))
  const named = Map.groupBy(rows, ({ label }) => (shown.has(label) ? label : others))
  const order = [...shown, ...(named.has(others) && !shown.has(others) ? [others] : [])]
  return order.map(label => oneSeries(label, named.get(label) ?? [], buckets))
}

/** All rows as one line or layer. */
export function oneSeries(label: string, rows: readonly CountedRow[], buckets: number): Series {
  return { label, total: total(rows), values: valuesOf(rows, buckets) }
}
