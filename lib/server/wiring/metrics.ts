/** Opens the metrics of a process, and reads the metrics of its node. */
import cluster from 'node:cluster'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import type { Config } from '#lib/config/env.ts'
import type { EventBuffer } from '#lib/events/database-sink.ts'
import type { Log } from '#lib/events/log.ts'
import { watchConnections } from '#lib/metrics/connection-metrics.ts'
import { createClientCounter, createEventCounter, createTokenCounter } from '#lib/metrics/event-counts.ts'
import {
  createDeliveryCounter,
  createProviderMeter,
  createStatementMeter,
  watchEvents,
} from '#lib/metrics/outside-metrics.ts'
import { measureProcess } from '#lib/metrics/process-metrics.ts'
import { type LabeledSample, readerOf, type TextFormat, writeMetrics } from '#lib/metrics/prometheus-text.ts'
import { type CheckedQueue, createQueueMeter } from '#lib/metrics/queue-metrics.ts'
import { createRegistry, type Registry } from '#lib/metrics/registry.ts'
import { createRequestRecorder } from '#lib/metrics/request-durations.ts'
import { createWorkerTotals } from '#lib/metrics/worker-totals.ts'
import type { ConnectionCounts } from '#lib/ports/administration.ts'
import { readVersion } from '../start/version.ts'
import { askPrimary } from '../workers/ask-primary.ts'
import { isBearer } from './bearer.ts'

export type Metrics = NonNullable<ReturnType<typeof openMetrics>>

/** Opens the metrics; `null` if they are off. */
export function openMetrics({ metrics, issuer }: Pick<Config, 'metrics' | 'issuer'>) {
  if (metrics === null) return null
  const { token, clients } = metrics
  const registry = createRegistry()
  measureProcess(registry)
  return {
    registry,
    record: createRequestRecorder(registry, new URL(issuer).protocol.slice(0, -1)),
    countIssued: createTokenCounter(registry),
    sinks: [
      createEventCounter(registry),
      ...(clients.length === 0 ? [] : [createClientCounter(registry, clients)]),
    ],
    statements: (system: DatabaseLocation['kind']) => createStatementMeter(registry, system),
    measureProvider: createProviderMeter(registry),
    countDelivery: createDeliveryCounter(registry),
    watchEvents: (counts: EventBuffer['counts']) => watchEvents(registry, counts),
    /** Returns the meter of a queue of expensive checks. */
    meter: (queue: CheckedQueue) => createQueueMeter(registry, queue),
    watchConnections: (count: () => ConnectionCounts | null) => watchConnections(registry, count),
    /** Whether a request may read the metrics. Without a token, the main port has none. */
    allows: (authorization: string | null) => token !== null && isBearer(token, authorization),
    /** Returns the metrics of all processes of the node. */
    read: readerOf(cluster.isWorker ? askPrimary : textOfOnlyProcess(registry)),
    /** Returns the series of the only process of a node. */
    samples: samplesOfOnlyProcess(registry),
  }
}

/** Measures each request that is logged. */
export function withMetrics(log: Log, metrics: Metrics | null): Log {
  if (metrics === null) return log
  const { record } = metrics
  return {
    ...log,
    request: (line, event) => {
      record(line)
      log.request(line, event)
    },
  }
}

/** The number of the only process of a node, in the label `worker`. */
const onlyWorker = 1

function samplesOfOnlyProcess(registry: Registry): () => readonly LabeledSample[] {
  const totals = createWorkerTotals(onlyWorker)
  return () => {
    totals.receive(onlyWorker, registry.read())
    return totals.read([])
  }
}

function textOfOnlyProcess(registry: Registry): (format: TextFormat) => Promise<string> {
  const samples = samplesOfOnlyProcess(registry)
  return async format => writeMetrics({ samples: samples(), version: await readVersion() }, format)
}
