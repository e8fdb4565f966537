/** Sends the metrics of a node to a collector. The code for it is loaded only if metrics are sent. */
import type { Config } from '#lib/config/env.ts'
import type { Log } from '#lib/events/log.ts'
import type { LabeledSample } from '#lib/metrics/prometheus-text.ts'

type Exported = { readonly read: () => readonly LabeledSample[]; readonly log: Pick<Log, 'write'> }

/** Begins to send metrics, if they are sent. Returns the function that sends the last values. */
export async function exportTo(
  { telemetry }: Pick<Config, 'telemetry'>,
  exported: Exported,
): Promise<() => Promise<void>> {
  if (telemetry === null || telemetry.metrics === null) return async () => {}
  const { exportMetrics } = await import('../telemetry/export-metrics.ts')
  return exportMetrics(telemetry, exported)
}
