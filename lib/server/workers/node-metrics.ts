/** The metrics of a node with several workers, in its primary process. */
import type { Config } from '#lib/config/env.ts'
import type { Log } from '#lib/events/log.ts'
import { readerOf, type TextFormat, writeMetrics } from '#lib/metrics/prometheus-text.ts'
import { createRegistry } from '#lib/metrics/registry.ts'
import { createWorkerTotals } from '#lib/metrics/worker-totals.ts'
import { listenForMetrics } from '../host/metrics-server.ts'
import { readVersion } from '../start/version.ts'
import { exportTo } from '../wiring/metrics-export.ts'
import type { FromWorker } from './messages.ts'
import type { WorkerProcess } from './team.ts'

export type NodeMetrics = {
  /** Receives the metrics of a worker, and answers its request for the metrics of the node. */
  readonly hear: (worker: WorkerProcess, message: FromWorker) => void
  /** Keeps the counts of a worker that has ended. */
  readonly end: (worker: number) => void
  /** Sends the last values to the collector, if there is one. */
  readonly close: () => Promise<void>
}

type Counts = {
  readonly wanted: number
  readonly serving: () => number
  readonly log: Pick<Log, 'write'>
}

/** Opens the metrics of the node, and their port if there is one. Without settings, nothing is counted. */
export async function openNodeMetrics(
  config: Pick<Config, 'metrics' | 'telemetry'>,
  { wanted, serving, log }: Counts,
): Promise<NodeMetrics> {
  const { metrics: settings } = config
  if (settings === null) return { hear: () => {}, end: () => {}, close: async () => {} }
  const registry = createRegistry()
  const totals = createWorkerTotals(wanted)
  const replaced = registry.find('latchkey.workers.replaced')
  const wantedSlot = registry.find('latchkey.workers', ['wanted'])
  const servingSlot = registry.find('latchkey.workers', ['serving'])
  registry.set(wantedSlot, wanted)
  registry.beforeReading(() => registry.set(servingSlot, serving()))
  const version = await readVersion()
  const samples = () => totals.read(registry.read())
  const read = (format: TextFormat) => writeMetrics({ samples: samples(), version }, format)
  await listenForMetrics(
    settings,
    readerOf(async format => read(format)),
  )
  const close = await exportTo(config, { read: samples, log })
  return {
    close,
    hear: (worker, message) => {
      if (message.kind === 'alive' && message.metrics !== undefined)
        totals.receive(worker.id, message.metrics)
      if (message.kind === 'metrics_asked')
        worker.send({ kind: 'metrics', id: message.id, text: read(message.format) })
    },
    end: worker => {
      totals.end(worker)
      registry.add(replaced, 1)
    },
  }
}
