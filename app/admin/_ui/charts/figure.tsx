/** One number, how it compares, and its course as a line over the course before. */
import type { Compared, Rate } from '#lib/admin/overview/overview.ts'
import { changeText, numberText, percentText } from './number-words.ts'

type FigureProps = {
  readonly name: string
  readonly compared: Compared
  /** The bucket that is not over yet: the line ends there. */
  readonly current: number
  /** The first bucket that anything is known of: the line begins there. */
  readonly known: number
  /** Of which more is worse. */
  readonly isBad?: boolean
}

export function Figure({ name, compared, current, known, isBad = false }: FigureProps) {
  const { now, before, values, valuesBefore } = compared
  const most = Math.max(1, ...values, ...(valuesBefore ?? []))
  const buckets = values.length
  return (
    <div className="sheet figure">
      <h2 className="small muted">{name}</h2>
      <p className="figure-number">{numberText(now)}</p>
      <Comparison now={now} before={before} isBad={isBad} />
      <svg viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true" className="sparkline">
        {valuesBefore !== null && (
          <polyline className="before" points={pointsOf(valuesBefore, buckets, most)} />
        )}
        <polyline points={pointsOf(values.slice(0, current + 1), buckets, most, known)} />
      </svg>
    </div>
  )
}

type ComparisonProps = { readonly now: number; readonly before: number | null; readonly isBad: boolean }

function Comparison({ now, before, isBad }: ComparisonProps) {
  if (before === null) return null
  const change = changeText(now, before)
  const isWorse = isBad && now > before
  return (
    <p className="small muted">
      {change !== null && <span className={isWorse ? 'figure-change worse' : 'figure-change'}>{change}</span>}
      {change === null ? 'none before' : ` than ${numberText(before)}`}
    </p>
  )
}

function pointsOf(values: readonly number[], buckets: number, most: number, from = 0): string {
  const step = 100 / Math.max(1, buckets - 1)
  const points = values.map(
    (value, index) => `${(index * step).toFixed(2)},${(28 - (value / most) * 26).toFixed(2)}`,
  )
  return points.slice(from).join(' ')
}

/** A share, how it compares, and itself as a bar. */
export function RateFigure({ name, rate }: { readonly name: string; readonly rate: Rate }) {
  const { now, before } = rate
  return (
    <div className="sheet figure">
      <h2 className="small muted">{name}</h2>
      <p className="figure-number">{now === null ? '–' : percentText(now)}</p>
      {before !== null && <p className="small muted">{percentText(before)} before</p>}
      <svg viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true" className="sparkline">
        <rect y="12" width="100" height="6" className="meter-back" />
        {now !== null && <rect y="12" width={now * 100} height="6" className="layer-0" />}
      </svg>
    </div>
  )
}
