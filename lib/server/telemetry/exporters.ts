/** The exporters of OpenTelemetry, and the description of this process. Imported only if traces or metrics are sent. */
import { randomUUID } from 'node:crypto'
import { DiagLogLevel, diag } from '@opentelemetry/api'
import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import { telemetry as limits } from '#lib/config/limits.ts'
import type { TelemetrySettings } from '#lib/config/telemetry-settings.ts'
import type { Log } from '#lib/events/log.ts'
import { readVersion } from '../start/version.ts'

/** Describes this process. Attributes in `OTEL_RESOURCE_ATTRIBUTES` are added, and replace those of this server. */
export async function describeProcess(
  { serviceName }: TelemetrySettings,
  worker: number | null,
): Promise<Resource> {
  const own = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': await readVersion(),
    'service.instance.id': randomUUID(),
    ...(worker === null ? {} : { 'latchkey.worker': worker }),
  })
  return own.merge(detectResources({ detectors: [envDetector] }))
}

export async function spanExporter({ protocol }: TelemetrySettings): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}

export async function metricExporter({ protocol }: TelemetrySettings): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto')
  return new OTLPMetricExporter()
}

/** Logs that the collector refuses data or does not answer, at most once a minute. Messages of the SDK can contain the answer. */
export function reportFailures(log: Pick<Log, 'write'>): void {
  let reportedAt = Number.NEGATIVE_INFINITY
  let failures = 0
  const report = () => {
    failures += 1
    if (performance.now() - reportedAt < limits.reportEveryMs) return
    reportedAt = performance.now()
    log.write('warn', 'telemetry_not_sent', { failures })
    failures = 0
  }
  const ignore = () => {}
  const logger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}

/** Waits for the last data of a process that ends, but not longer than a collector that does not answer may take. */
export async function endWithin(work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limits.endMs)
  await Promise.race([work.catch(() => {}), promise])
  clearTimeout(timer)
}
