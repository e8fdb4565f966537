/** Writes metrics in the two text formats of Prometheus: 0.0.4, and OpenMetrics 1.0.0. */
import { familyName, metricNames, metricRow, prometheusText, unitSuffix } from './catalog.ts'
import type { Sample } from './registry.ts'

/** A series with its labels by name, such as the worker that it comes from. */
export type LabeledSample = Sample & { readonly worker?: string }

export type TextFormat = 'prometheus' | 'openmetrics'

const contentTypes: Readonly<Record<TextFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

export type MetricsText = { readonly contentType: string; readonly text: string }

/** Reads the metrics in the format that an `Accept` header asks for. */
export type ReadMetrics = (accept: string | null) => Promise<MetricsText>

/** Returns a reader for both formats. */
export function readerOf(readText: (format: TextFormat) => Promise<string>): ReadMetrics {
  return async accept => {
    const isOpenMetrics = accept !== null && /\bapplication\/openmetrics-text\b/i.test(accept)
    const format = isOpenMetrics ? 'openmetrics' : 'prometheus'
    return { contentType: contentTypes[format], text: await readText(format) }
  }
}

type Written = { readonly samples: readonly LabeledSample[]; readonly version: string }

/** Writes all series, in the order of the catalog. `version`: the version of the server. */
export function writeMetrics({ samples, version }: Written, format: TextFormat): string {
  const lines = metricNames.flatMap(name => {
    const series = samples.filter(sample => sample.name === name)
    return series.length === 0
      ? []
      : [...headOf(name, format), ...series.flatMap(each => linesOf(each, format))]
  })
  const target = [
    `# TYPE ${format === 'openmetrics' ? 'target info' : 'target_info gauge'}`,
    `# HELP ${format === 'openmetrics' ? 'target' : 'target_info'} The server that answers.`,
    line('target_info', labelsText(['service.name', 'service.version'], ['latchkey', version]), 1),
  ]
  const end = format === 'openmetrics' ? ['# EOF'] : []
  return `${[...target, ...lines, ...end].join('\n')}\n`
}

type Name = (typeof metricNames)[number]

function headOf(name: Name, format: TextFormat): readonly string[] {
  const { kind, help } = metricRow(name)
  const unit = unitSuffix(name).slice(1)
  const family = format === 'openmetrics' ? familyName(name) : sampleName(name)
  return [
    `# HELP ${family} ${help}`,
    `# TYPE ${family} ${kind}`,
    ...(format === 'openmetrics' && unit !== '' ? [`# UNIT ${family} ${unit}`] : []),
  ]
}

/** Returns the name in Prometheus of the metric, as in queries. */
export function sampleName(name: Name): string {
  return metricRow(name).kind === 'counter' ? `${familyName(name)}_total` : familyName(name)
}

function linesOf({ name, labels, values, worker }: LabeledSample, format: TextFormat): readonly string[] {
  const row = metricRow(name)
  const names = [...(worker === undefined ? [] : ['worker']), ...row.labels]
  const text = labelsText(names, [...(worker === undefined ? [] : [worker]), ...labels])
  if (row.bounds === undefined) return [line(sampleName(name), text, values[0] ?? 0)]
  const bounds = row.bounds.map(bound => boundText(bound, format))
  return histogramLines(familyName(name), text, { bounds, values })
}

type Histogram = { readonly bounds: readonly string[]; readonly values: readonly number[] }

/** Writes the classes of a histogram. Each class includes the values of the classes before it. */
function histogramLines(family: string, labels: string, { bounds, values }: Histogram): readonly string[] {
  let count = 0
  const classes = [...bounds, '+Inf'].map((bound, place) => {
    count += values[place] ?? 0
    return line(`${family}_bucket`, `${labels}${labels === '' ? '' : ','}le="${bound}"`, count)
  })
  const sum = values[bounds.length + 1] ?? 0
  return [...classes, line(`${family}_sum`, labels, sum), line(`${family}_count`, labels, count)]
}

function labelsText(names: readonly string[], values: readonly string[]): string {
  return names
    .map((name, index) => `${prometheusText(name)}="${(values[index] ?? '').replace(/["\\\n]/g, escaped)}"`)
    .join(',')
}

function escaped(character: string): string {
  return character === '\n' ? '\\n' : `\\${character}`
}

function line(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${value}`
}

/** Writes the upper limit of a class. OpenMetrics requires a point in it. */
function boundText(bound: number, format: TextFormat): string {
  return format === 'openmetrics' && Number.isInteger(bound) ? `${bound}.0` : String(bound)
}
