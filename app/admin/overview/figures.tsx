/** The most important numbers, most of them with their change and a line of their values. */
import type { ReactNode } from 'react'
import type { Compared, Overview } from '#lib/admin/overview/overview.ts'
import { changeText, durationText, numberText, percentText } from './number-words.ts'

export function Figures({ overview }: { readonly overview: Overview }) {
  const { period, knownFrom, signIns, users, tokens, failures, successRate, responseTime } = overview
  const range = { from: knownFrom, until: period.current + 1 }
  return (
    <div className="figures">
      <Count name="Sign-ins" compared={signIns} {...range} />
      <Figure
        name="Success rate"
        value={successRate.now === null ? null : percentText(successRate.now)}
        note={successRate.before === null ? null : `${percentText(successRate.before)} before`}
      >
        {successRate.now !== null && <Meter share={successRate.now} className="figure-meter" />}
      </Figure>
      <Count name="Active users" compared={users} {...range} />
      <Count name="Tokens issued" compared={tokens} {...range} />
      <Count name="Failures" compared={failures} {...range} isBad />
      <Figure
        name="Token time (p95)"
        value={responseTime.p95 === null ? null : `≤ ${durationText(responseTime.p95)}`}
        note={null}
      >
        <Sparkline values={responseTime.values.slice(range.from, range.until).map(value => value ?? 0)} />
      </Figure>
    </div>
  )
}

type FigureProps = {
  readonly name: string
  /** The number as text; `null` if nothing was counted. */
  readonly value: string | null
  readonly note: ReactNode
  readonly children: ReactNode
}

function Figure({ name, value, note, children }: FigureProps) {
  return (
    <div className="sheet figure">
      <h2 className="small muted">{name}</h2>
      <p className="figure-number">{value ?? '–'}</p>
      {note !== null && <p className="small muted">{note}</p>}
      {children}
    </div>
  )
}

type CountProps = {
  readonly name: string
  readonly compared: Compared
  /** The range of buckets with counts: `from` is included, `until` is not. */
  readonly from: number
  readonly until: number
  /** Whether a higher number is worse. */
  readonly isBad?: boolean
}

function Count({ name, compared, from, until, isBad = false }: CountProps) {
  const { now, before, values, valuesBefore } = compared
  return (
    <Figure
      name={name}
      value={numberText(now)}
      note={before === null ? null : <Comparison now={now} before={before} isBad={isBad} />}
    >
      <Sparkline values={values.slice(from, until)} before={valuesBefore?.slice(from, until) ?? null} />
    </Figure>
  )
}

type ComparisonProps = { readonly now: number; readonly before: number; readonly isBad: boolean }

function Comparison({ now, before, isBad }: ComparisonProps) {
  const change = changeText(now, before)
  if (change === null) return 'no earlier data'
  const isWorse = isBad && now > before
  return (
    <>
      <span className={isWorse ? 'figure-change worse' : 'figure-change'}>{change}</span>
      {` from ${numberText(before)}`}
    </>
  )
}

type SparklineProps = { readonly values: readonly number[]; readonly before?: readonly number[] | null }

/** A line of the values, drawn over that of the previous period if there is one. A line needs at least two values. */
function Sparkline({ values, before = null }: SparklineProps) {
  const most = Math.max(1, ...values, ...(before ?? []))
  if (values.length < 2) return null
  return (
    <svg viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true" className="sparkline">
      {before !== null && <polyline className="before" points={pointsOf(before, most)} />}
      <polyline points={pointsOf(values, most)} />
    </svg>
  )
}

function pointsOf(values: readonly number[], most: number): string {
  const step = 100 / Math.max(1, values.length - 1)
  const y = (value: number) => (28 - (value / most) * 26).toFixed(2)
  return values.map((value, index) => `${(index * step).toFixed(2)},${y(value)}`).join(' ')
}

/** A bar that is filled up to the share. */
export function Meter({ share, className }: { readonly share: number; readonly className?: string }) {
  return (
    <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" className={className}>
      <rect width="100" height="6" className="meter-back" />
      <rect width={share * 100} height="6" className="layer-0" />
    </svg>
  )
}
