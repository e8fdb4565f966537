/** Sends the metrics of a node to a collector, at intervals. */
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import type { TelemetrySettings } from '#lib/config/telemetry-settings.ts'
import type { Log } from '#lib/events/log.ts'
import type { LabeledSample } from '#lib/metrics/prometheus-text.ts'
import { describeProcess, endWithin, metricExporter, reportFailures } from './exporters.ts'
import { metricData } from './metric-data.ts'

type Exporting = {
  readonly read: () => readonly LabeledSample[]
  readonly log: Pick<Log, 'write'>
}

/** Begins to send. Returns the function that sends the last values and ends. */
export async function exportMetrics(
  settings: TelemetrySettings,
  { read, log }: Exporting,
): Promise<() => Promise<void>> {
  if (settings.metrics === null) return async () => {}
  reportFailures(log)
  const resource = await describeProcess(settings, null)
  const scope = { name: 'latchkey' }
  const startTime = timeNow()
  const producer = {
    collect: async () => {
      const metrics = metricData(read(), { startTime, endTime: timeNow() })
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] }
    },
  }
  const { everyMs } = settings.metrics
  const reader = new PeriodicExportingMetricReader({
    exporter: await metricExporter(settings),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: everyMs,
    metricProducers: [producer],
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  return () => endWithin(provider.shutdown())
}

function timeNow(): [seconds: number, nanoseconds: number] {
  const now = Date.now()
  return [Math.floor(now / 1000), (now % 1000) * 1_000_000]
}
