/** One number, how it compares, and its course as a line over the course before. */
import type { Compared, Rate } from '#lib/admin/overview/overview.ts'
import { changeText, numberText, percentText } from './number-words.ts'

type FigureProps = {
  readonly name: string
  readonly compared: Compared
  /** The bucket that is not over yet: the line ends there. */
  readonly current: number
  /** Of which more is worse. */
  readonly isBad?: boolean
}

export function Figure({ name, compared, current, isBad = false }: FigureProps) {
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
        <polyline points={pointsOf(values.slice(0, current + 1), buckets, most)} />
      </svg>
    </div>
  )
}

function Comparison({
  now,
  before,
  isBad,
}: Omit<FigureProps, 'name' | 'compared' | 'current'> & {
  readonly now: number
  readonly before: number | null
}) {
  if (before === null) return <p className="small faint">nothing to compare with yet</p>
  const change = changeText(now, before)
  const isWorse = isBad && now > before
  return (
    <p className="small muted">
      {change !== null && <span className={isWorse ? 'change worse' : 'change'}>{change}</span>}
      {change === null ? 'none before' : ` than ${numberText(before)}`}
    </p>
  )
}

function pointsOf(values: readonly number[], buckets: number, most: number): string {
  const step = 100 / Math.max(1, buckets - 1)
  return values
    .map((value, index) => `${(index * step).toFixed(2)},${(28 - (value / most) * 26).toFixed(2)}`)
    .join(' ')
}

/** A share, how it compares, and itself as a bar. */
export function RateFigure({ name, rate }: { readonly name: string; readonly rate: Rate }) {
  const { now, before } = rate
  return (
    <div className="sheet figure">
      <h2 className="small muted">{name}</h2>
      <p className="figure-number">{now === null ? '–' : percentText(now)}</p>
      <p className="small muted">
        {before === null ? (
          <span className="faint">{now === null ? 'nobody tried yet' : 'nothing to compare with yet'}</span>
        ) : (
          `${percentText(before)} before`
        )}
      </p>
      <svg viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true" className="sparkline">
        <rect y="12" width="100" height="6" className="meter-back" />
        {now !== null && <rect y="12" width={now * 100} height="6" className="layer-0" />}
      </svg>
    </div>
  )
}
