import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Environment, readConfig } from './env.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

test('TL-01 nothing is sent without an address, whatever other variables of OpenTelemetry are', () => {
  const others = {
    OTEL_TRACES_EXPORTER: 'console',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_SERVICE_NAME: 'x',
  }
  const config = readConfig(others)
  assert.deepEqual([config.telemetry, config.metrics], [null, null])
  const disabled = readConfig({ ...endpoint, OTEL_SDK_DISABLED: 'true' })
  assert.deepEqual([disabled.telemetry, disabled.metrics], [null, null])
})

test('TL-01 with an address, traces and metrics are sent, and 5 % of the traces are sampled', () => {
  const config = readConfig(endpoint)
  assert.deepEqual(config.telemetry, {
    protocol: 'http/protobuf',
    serviceName: 'latchkey',
    traces: { sampler: 'traceidratio', followsParent: true, ratio: 0.05 },
    metrics: { everyMs: 60_000 },
  })
  assert.deepEqual(config.metrics, { listen: null, token: null, clients: [] })
})

test('TL-01 each of the two can be turned off', () => {
  const traces = readConfig({ ...endpoint, OTEL_METRICS_EXPORTER: 'none', OTEL_TRACES_SAMPLER: 'always_on' })
  assert.deepEqual(traces.telemetry?.traces, { sampler: 'always_on', followsParent: false, ratio: 0.05 })
  assert.deepEqual([traces.telemetry?.metrics, traces.metrics], [null, null])
  const metrics = readConfig({
    ...endpoint,
    OTEL_TRACES_EXPORTER: 'none',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
  })
  assert.deepEqual([metrics.telemetry?.traces, metrics.telemetry?.metrics], [null, { everyMs: 1000 }])
})

const refused: ReadonlyArray<readonly [Environment, RegExp]> = [
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'user:secret@host' },
    /^OTEL_EXPORTER_OTLP_ENDPOINT is \(not shown\), but it must be the address of a collector/,
  ],
  [
    { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    /^OTEL_EXPORTER_OTLP_PROTOCOL is "grpc", but this server supports only http\/protobuf, http\/json\.$/,
  ],
  [
    { ...endpoint, OTEL_TRACES_EXPORTER: 'zipkin' },
    /^OTEL_TRACES_EXPORTER is "zipkin", but this server supports only otlp, none\.$/,
  ],
  [{ ...endpoint, OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /^OTEL_TRACES_SAMPLER is "jaeger_remote", but/],
  [
    { ...endpoint, OTEL_TRACES_SAMPLER_ARG: '5' },
    /^OTEL_TRACES_SAMPLER_ARG is "5", but it must be a number from 0 to 1\.$/,
  ],
  [
    { ...endpoint, OTEL_METRIC_EXPORT_INTERVAL: '10' },
    /^OTEL_METRIC_EXPORT_INTERVAL is "10", but it must be/,
  ],
]

for (const [environment, message] of refused)
  test(`TL-01 refuses ${JSON.stringify(environment)} in one sentence`, () => {
    assert.throws(() => readConfig(environment), { message })
  })
