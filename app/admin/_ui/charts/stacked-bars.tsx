/** One bar per day or hour, in layers. Drawn on the server: no script, no style attribute. */
import type { Series } from '#lib/admin/overview/tally.ts'
import { ChartFrame } from './chart-frame.tsx'
import { numberText, shortNumber } from './number-words.ts'
import { niceCeiling } from './scale.ts'

/** The time that charts share. Buckets before `known` were not counted, those after `current` lie ahead. */
export type TimeAxis = {
  readonly unit: 'hour' | 'day'
  readonly names: readonly string[]
  readonly known: number
  readonly current: number
}

type StackedBarsProps = {
  readonly name: string
  readonly finding: string
  readonly empty: string
  readonly axis: TimeAxis
  readonly series: readonly Series[]
  /** The label of a series in words. */
  readonly words: (label: string) => string
  /** What else is to be said. */
  readonly note?: string
}

/** The plot is stretched to its place; what must not be stretched, words and lines, is not. */
const height = 100

export function StackedBars({ name, finding, empty, axis, series, words, note }: StackedBarsProps) {
  const named = series.map(one => ({ ...one, label: words(one.label) }))
  const top = topOf(series, axis)
  return (
    <ChartFrame
      name={name}
      finding={finding}
      empty={empty}
      columns={[`${axis.unit === 'day' ? 'Day' : 'Hour'} (UTC)`, ...named.map(({ label }) => label)]}
      rows={named.length === 0 ? [] : rowsOf(axis, named)}
    >
      <div className="plot-frame">
        <div className="plot-scale" aria-hidden="true">
          {[top, top / 2, 0].map(value => (
            <span key={value}>{shortNumber(value)}</span>
          ))}
        </div>
        <Plot axis={axis} series={named} top={top} title={`${name}: ${finding}`} />
        <div className="plot-times" aria-hidden="true">
          {timesOf(axis).map(time => (
            <span key={time}>{time}</span>
          ))}
        </div>
      </div>
      <Legend series={named} />
      {note !== undefined && <p className="small muted">{note}</p>}
    </ChartFrame>
  )
}

function topOf(series: readonly Series[], { names }: TimeAxis): number {
  const totals = names.map((_name, index) => sum(series.map(({ values }) => values[index] ?? 0)))
  return niceCeiling(Math.max(1, ...totals))
}

/** The latest first, as one looks for it. */
function rowsOf({ names, known, current }: TimeAxis, series: readonly Series[]) {
  return names
    .map((name, index) => [name, ...series.map(({ values }) => values[index] ?? 0)])
    .slice(known, current + 1)
    .toReversed()
}

function timesOf({ names }: TimeAxis): readonly string[] {
  const middle = names[Math.floor((names.length - 1) / 2)]
  return [names[0], middle, names.at(-1)].flatMap(name => name ?? [])
}

type PlotProps = {
  readonly axis: TimeAxis
  readonly series: readonly Series[]
  readonly top: number
  readonly title: string
}

function Plot({ axis, series, top, title }: PlotProps) {
  const { names, known } = axis
  return (
    <svg
      viewBox={`0 0 ${names.length} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={title}
      className="plot"
    >
      {known > 0 && <rect width={known} height={height} className="unknown" />}
      {[0, height / 2, height].map(y => (
        <line key={y} x2={names.length} y1={y} y2={y} className={y === height ? 'base-line' : 'grid-line'} />
      ))}
      {names.map((name, index) => (
        <Bar key={name} name={name} at={index} axis={axis} series={series} top={top} />
      ))}
    </svg>
  )
}

type BarProps = Omit<PlotProps, 'title'> & { readonly name: string; readonly at: number }

/** What is not over yet is drawn open. */
function Bar({ name, at, axis, series, top }: BarProps) {
  if (at < axis.known || at > axis.current) return null
  const scale = (value: number) => (value / top) * height
  let below = 0
  return (
    <g className={at === axis.current ? 'plot-bar is-open' : 'plot-bar'}>
      <rect x={at} width="1" height={height} className="plot-column" />
      {series.map(({ label, values }, layer) => {
        const value = values[at] ?? 0
        below += value
        if (value === 0) return null
        const y = height - scale(below)
        return (
          <rect
            key={label}
            x={at + 0.14}
            y={y}
            width="0.72"
            height={scale(value)}
            className={`layer-${layer}`}
          />
        )
      })}
      <title>{tipOf(name, at === axis.current, series, at)}</title>
    </g>
  )
}

function tipOf(name: string, isOpen: boolean, series: readonly Series[], at: number): string {
  const lines = series.map(({ label, values }) => `${label}: ${numberText(values[at] ?? 0)}`)
  return [`${name}${isOpen ? ', not over yet' : ''}`, ...lines].join('\n')
}

function Legend({ series }: { readonly series: readonly Series[] }) {
  return (
    <ul className="legend list">
      {series.map(({ label, total }, index) => (
        <li key={label} className="small">
          <svg width="10" height="10" aria-hidden="true">
            <rect width="10" height="10" rx="2" className={`layer-${index}`} />
          </svg>
          {label} <span className="muted number">{numberText(total)}</span>
        </li>
      ))}
    </ul>
  )
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
