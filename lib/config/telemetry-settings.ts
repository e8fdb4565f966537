/** Reads the standard variables of OpenTelemetry. Exporters read the other `OTEL_EXPORTER_OTLP_` variables by themselves. */
import { ConfigError } from '#lib/errors/config-error.ts'
import { metrics as limits } from './limits.ts'

export const samplers = ['always_on', 'always_off', 'traceidratio'] as const

export type TelemetrySettings = {
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly serviceName: string
  /** How traces are sampled; `null`: there are none. */
  readonly traces: {
    readonly sampler: (typeof samplers)[number]
    /** Whether a caller with a trusted address decides whether its trace is sampled. */
    readonly followsParent: boolean
    /** The share of sampled traces, with `traceidratio`. */
    readonly ratio: number
  } | null
  /** How often metrics are sent; `null`: never. */
  readonly metrics: { readonly everyMs: number } | null
}

export const telemetryNames = [
  'OTEL_SDK_DISABLED',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_EXPORTER',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_METRICS_EXPORTER',
  'OTEL_METRIC_EXPORT_INTERVAL',
] as const

type Name = (typeof telemetryNames)[number]
export type TelemetryFields = { readonly [N in Name]?: string | undefined }

/**
 * Returns the settings; `null` without `OTEL_EXPORTER_OTLP_ENDPOINT`, whatever the other variables are.
 * @throws ConfigError for a value that this server does not support
 */
export function readTelemetry(fields: TelemetryFields): TelemetrySettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = fields
  if (endpoint === undefined || fields.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null
  if (!/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    const rule = 'it must be the address of a collector, such as http://127.0.0.1:4318'
    throw new ConfigError(`OTEL_EXPORTER_OTLP_ENDPOINT is (not shown), but ${rule}.`)
  }
  const protocol = oneOf(fields, 'OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf', 'http/json'] as const)
  const traces = oneOf(fields, 'OTEL_TRACES_EXPORTER', ['otlp', 'none'] as const)
  const metrics = oneOf(fields, 'OTEL_METRICS_EXPORTER', ['otlp', 'none'] as const)
  return {
    protocol,
    serviceName: fields.OTEL_SERVICE_NAME ?? 'latchkey',
    traces: traces === 'none' ? null : readSampler(fields),
    metrics: metrics === 'none' ? null : { everyMs: readInterval(fields) },
  }
}

const withParent = 'parentbased_'

function readSampler(fields: TelemetryFields): NonNullable<TelemetrySettings['traces']> {
  const names = samplers.flatMap(name => [`${withParent}${name}` as const, name])
  const name = oneOf(fields, 'OTEL_TRACES_SAMPLER', [`${withParent}traceidratio` as const, ...names])
  const text = fields.OTEL_TRACES_SAMPLER_ARG ?? String(limits.sampledShare)
  const ratio = Number(text)
  if (!/^[\d.]{1,10}$/.test(text) || !(ratio <= 1))
    throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG is "${text}", but it must be a number from 0 to 1.`)
  const followsParent = name.startsWith(withParent)
  const bare = followsParent ? name.slice(withParent.length) : name
  const sampler = samplers.find(each => each === bare) ?? 'traceidratio'
  return { sampler, followsParent, ratio }
}

function readInterval({ OTEL_METRIC_EXPORT_INTERVAL: text = '60000' }: TelemetryFields): number {
  const interval = Number(text)
  if (!/^\d{4,8}$/.test(text)) {
    const rule = 'it must be a number of milliseconds, 1000 or more'
    throw new ConfigError(`OTEL_METRIC_EXPORT_INTERVAL is "${text}", but ${rule}.`)
  }
  return interval
}

/** Returns the value of a variable, or the first allowed value if it is not set. */
function oneOf<const Allowed extends readonly string[]>(
  fields: TelemetryFields,
  name: Name,
  allowed: Allowed,
): Allowed[number] {
  const given = fields[name] ?? allowed[0]
  const found: Allowed[number] | undefined = allowed.find(each => each === given)
  if (found !== undefined) return found
  const listed = [...new Set(allowed)].join(', ')
  throw new ConfigError(`${name} is "${given}", but this server supports only ${listed}.`)
}
