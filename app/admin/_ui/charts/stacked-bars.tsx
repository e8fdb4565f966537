/** One bar per day, in layers. Drawn on the server: no script, no style attribute. */
import type { Daily } from '#lib/admin/overview/overview.ts'
import { ChartFrame } from './chart-frame.tsx'
import { niceCeiling } from './scale.ts'

const width = 720
const height = 180
const bottom = 22
const start = 34

export function StackedBars({ title, data }: { readonly title: string; readonly data: Daily }) {
  const { days, series } = data
  const totals = days.map((_day, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const top = niceCeiling(Math.max(1, ...totals))
  const slot = (width - start) / Math.max(1, days.length)
  const y = (value: number) => height - bottom - (value / top) * (height - bottom - 8)
  const names = days.map(day => day.toISOString().slice(0, 10))
  const rows =
    series.length === 0
      ? []
      : names.map((name, index) => [name, ...series.map(({ values }) => values[index] ?? 0)])
  return (
    <ChartFrame title={title} columns={['Day (UTC)', ...series.map(({ label }) => words(label))]} rows={rows}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title} className="plot">
        {[0, top / 2, top].map(value => (
          <g key={value}>
            <line x1={start} x2={width} y1={y(value)} y2={y(value)} className="grid-line" />
            <text x={start - 6} y={y(value) + 4} textAnchor="end">
              {value}
            </text>
          </g>
        ))}
        {days.map((day, index) => (
          <Bar key={day.getTime()} at={{ index, slot }} data={data} y={y} name={names[index] ?? ''} />
        ))}
        <text x={start} y={height - 4}>
          {names[0]}
        </text>
        <text x={width} y={height - 4} textAnchor="end">
          today (UTC)
        </text>
      </svg>
      <ul className="legend list">
        {series.map(({ label }, index) => (
          <li key={label} className="small">
            <svg width="12" height="12" aria-hidden="true">
              <rect width="12" height="12" rx="2" className={`layer-${index}`} />
            </svg>
            {words(label)}
          </li>
        ))}
      </ul>
    </ChartFrame>
  )
}

type BarProps = {
  readonly at: { readonly index: number; readonly slot: number }
  readonly data: Daily
  readonly y: (value: number) => number
  readonly name: string
}

/** Today is not over: its bar is drawn open. */
function Bar({ at: { index, slot }, data: { days, series }, y, name }: BarProps) {
  const isToday = index === days.length - 1
  const gap = Math.min(6, slot * 0.2)
  let below = 0
  return (
    <g className={isToday ? 'today' : undefined}>
      {series.map(({ label, values }, layer) => {
        const value = values[index] ?? 0
        const from = below
        below += value
        if (value === 0) return null
        return (
          <rect
            key={label}
            x={start + index * slot + gap / 2}
            y={y(below)}
            width={slot - gap}
            height={Math.max(1, y(from) - y(below))}
            className={`layer-${layer}`}
          >
            <title>{`${name}: ${value} ${words(label)}`}</title>
          </rect>
        )
      })}
    </g>
  )
}

function words(label: string): string {
  const known: Readonly<Record<string, string>> = { pwd: 'password', external: 'identity provider' }
  return known[label] ?? label.replaceAll('_', ' ')
}
