/** A chart with a bar for each day or hour, in layers. The server draws it without script and without style attributes. */
import type { Series } from '#lib/admin/overview/counts.ts'
import type { Overview } from '#lib/admin/overview/overview.ts'
import { ChartFrame } from './chart-frame.tsx'
import { niceCeiling, numberText, shortNumber } from './number-words.ts'

/** The time axis of all charts. Nothing was counted before `knownFrom`, and buckets after `current` are in the future. */
export type TimeAxis = {
  readonly unit: 'hour' | 'day'
  readonly names: readonly string[]
  readonly knownFrom: number
  readonly current: number
}

export const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
export const hourFormat = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

export function timeAxis({ period: { unit, starts, current }, knownFrom }: Overview): TimeAxis {
  const format = unit === 'day' ? dayFormat : hourFormat
  return { unit, current, knownFrom, names: starts.map(start => format.format(start)) }
}

type StackedBarsProps = {
  readonly name: string
  readonly finding: string
  readonly axis: TimeAxis
  readonly series: readonly Series[]
  /** Returns the label of a series in words. */
  readonly words: (label: string) => string
  readonly note?: string
}

/** The height of the plot in its own units. The plot is stretched to the page; text and lines are not. */
const height = 100

/** A chart of stacked bars. Without series nothing is shown. */
export function StackedBars({ name, finding, axis, series, words, note }: StackedBarsProps) {
  if (series.length === 0) return null
  const named = series.map(one => ({ ...one, label: words(one.label) }))
  const top = topOf(series, axis)
  return (
    <ChartFrame
      name={name}
      finding={finding}
      columns={[`${axis.unit === 'day' ? 'Day' : 'Hour'} (UTC)`, ...named.map(({ label }) => label)]}
      rows={rowsOf(axis, named)}
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

/** The rows of the table, the latest first. */
function rowsOf({ names, knownFrom, current }: TimeAxis, series: readonly Series[]) {
  return names
    .map((name, index) => [name, ...series.map(({ values }) => values[index] ?? 0)])
    .slice(knownFrom, current + 1)
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
  const { names, knownFrom } = axis
  return (
    <svg
      viewBox={`0 0 ${names.length} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={title}
      className="plot"
    >
      {knownFrom > 0 && <rect width={knownFrom} height={height} className="unknown" />}
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

/** A bar of the plot. That of the current day or hour has a dashed outline, because it still grows. */
function Bar({ name, at, axis, series, top }: BarProps) {
  if (at < axis.knownFrom || at > axis.current) return null
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
  return [`${name}${isOpen ? ' (in progress)' : ''}`, ...lines].join('\n')
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
