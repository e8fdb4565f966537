/** Converts the series of this server into the data of OpenTelemetry. */
import { type HrTime, ValueType } from '@opentelemetry/api'
import { AggregationTemporality, DataPointType, type MetricData } from '@opentelemetry/sdk-metrics'
import { type MetricName, metricNames, metricRow } from '#lib/metrics/catalog.ts'
import type { LabeledSample } from '#lib/metrics/prometheus-text.ts'

type Times = { readonly startTime: HrTime; readonly endTime: HrTime }

/** Returns the metrics that have series. All counts are those since `startTime`. */
export function metricData(samples: readonly LabeledSample[], times: Times): MetricData[] {
  return metricNames.flatMap(name => {
    const series = samples.filter(sample => sample.name === name)
    return series.length === 0 ? [] : [dataOf(name, series, times)]
  })
}

function dataOf(name: MetricName, series: readonly LabeledSample[], times: Times): MetricData {
  const { kind, unit, help, bounds = [] } = metricRow(name)
  const shared = {
    descriptor: { name, description: help, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const pointOf = <T>(sample: LabeledSample, value: T) => ({
    ...times,
    attributes: attributesOf(sample),
    value,
  })
  if (kind === 'histogram') {
    const dataPoints = series.map(sample => pointOf(sample, histogramOf(sample.values, bounds)))
    return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints }
  }
  const dataPoints = series.map(sample => pointOf(sample, sample.values[0] ?? 0))
  return kind === 'counter'
    ? { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...shared, dataPointType: DataPointType.GAUGE, dataPoints }
}

function histogramOf(values: readonly number[], bounds: readonly number[]) {
  const counts = values.slice(0, bounds.length + 1)
  return {
    buckets: { boundaries: [...bounds], counts },
    sum: values[bounds.length + 1] ?? 0,
    count: counts.reduce((sum, count) => sum + count, 0),
  }
}

/** Returns the labels by name. Statuses are numbers, as the convention requires. */
function attributesOf({ name, labels, worker }: LabeledSample): Record<string, string | number> {
  const attributes: Record<string, string | number> = worker === undefined ? {} : { worker }
  for (const [index, label] of metricRow(name).labels.entries()) {
    const text = labels[index] ?? ''
    attributes[label] = label.endsWith('status_code') && /^\d+$/.test(text) ? Number(text) : text
  }
  return attributes
}
