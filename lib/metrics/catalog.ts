/**
 * The metrics of this server. Names, units and labels of the first group are those of OpenTelemetry's semantic conventions; the
 * table in docs/metrics.md is made from this file.
 */

/** The value of a label that is not in its list. Requests can never add a value. */
export const otherValue = '_other'

export type MetricRow = {
  readonly kind: 'counter' | 'gauge' | 'histogram'
  /** A unit of UCUM: `s` seconds, `By` bytes, `1` a share; a text in braces counts what it names. */
  readonly unit: string
  readonly help: string
  readonly labels: readonly string[]
  /** The upper limits of the classes of a histogram. */
  readonly bounds?: readonly number[]
  /** Whether each worker has its own series, with the label `worker`; otherwise the values of all workers are added. */
  readonly perWorker?: true
  /** Where the name comes from: a stable convention, one that may still change, or this project. */
  readonly origin: 'stable' | 'development' | 'latchkey'
}

/** The classes of the convention for HTTP, and two more: most responses take 1 to 10 ms. */
const requestSeconds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
] as const

export const metricRows = {
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    help: 'Requests and their durations, by route, method and status.',
    labels: ['http.request.method', 'url.scheme', 'http.route', 'http.response.status_code'],
    bounds: requestSeconds,
    origin: 'stable',
  },
  'db.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    help: 'Statements of frequent requests, with the time that they wait for a connection: reads, changes, and insertions of many rows.',
    labels: ['db.system.name', 'db.operation.name'],
    bounds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    origin: 'stable',
  },
  'http.client.request.duration': {
    kind: 'histogram',
    unit: 's',
    help: 'Requests to identity providers, by the name of the provider; the status is `none` without a usable response.',
    labels: ['provider', 'http.request.method', 'http.response.status_code'],
    bounds: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    origin: 'stable',
  },
  'v8js.gc.duration': {
    kind: 'histogram',
    unit: 's',
    help: 'Garbage collections, by their type. All else in the process waits for the longest part of one.',
    labels: ['v8js.gc.type'],
    bounds: [0.01, 0.1, 1, 10],
    origin: 'development',
  },
  'process.cpu.time': {
    kind: 'counter',
    unit: 's',
    help: 'Processor time of a process.',
    labels: ['cpu.mode'],
    perWorker: true,
    origin: 'development',
  },
  'process.memory.usage': {
    kind: 'gauge',
    unit: 'By',
    help: 'Memory of a process (resident set).',
    labels: [],
    perWorker: true,
    origin: 'development',
  },
  'process.uptime': {
    kind: 'gauge',
    unit: 's',
    help: 'Time since a process started.',
    labels: [],
    perWorker: true,
    origin: 'development',
  },
  'nodejs.eventloop.delay.p99': {
    kind: 'gauge',
    unit: 's',
    help: 'Delay of the event loop that 99 % of the samples of the last 15 to 30 seconds did not exceed, including the 10 ms between samples.',
    labels: [],
    perWorker: true,
    origin: 'development',
  },
  'nodejs.eventloop.utilization': {
    kind: 'gauge',
    unit: '1',
    help: 'Share of the last 15 to 30 seconds in which the event loop was busy.',
    labels: [],
    perWorker: true,
    origin: 'development',
  },
  'latchkey.tokens.issued': {
    kind: 'counter',
    unit: '{token}',
    help: 'Issued tokens, by grant type, kind of token and format.',
    labels: ['grant_type', 'token', 'format'],
    origin: 'latchkey',
  },
  'latchkey.sign_ins': {
    kind: 'counter',
    unit: '{sign_in}',
    help: 'Sign-ins, by method and outcome: success, failure, or limited by a rate limit.',
    labels: ['method', 'outcome'],
    origin: 'latchkey',
  },
  'latchkey.requests.refused': {
    kind: 'counter',
    unit: '{request}',
    help: 'Refused requests, by route and error code. The log has the reason of each.',
    labels: ['http.route', 'error'],
    origin: 'latchkey',
  },
  'latchkey.client.tokens': {
    kind: 'counter',
    unit: '{response}',
    help: 'Responses with tokens to the clients in METRICS_CLIENTS, by grant type.',
    labels: ['client_id', 'grant_type'],
    origin: 'latchkey',
  },
  'latchkey.client.refused': {
    kind: 'counter',
    unit: '{request}',
    help: 'Refused requests of these clients, by route and error code.',
    labels: ['client_id', 'http.route', 'error'],
    origin: 'latchkey',
  },
  'latchkey.client.sign_ins': {
    kind: 'counter',
    unit: '{sign_in}',
    help: 'Sign-ins for these clients, by outcome.',
    labels: ['client_id', 'outcome'],
    origin: 'latchkey',
  },
  'latchkey.limits.reached': {
    kind: 'counter',
    unit: '{attempt}',
    help: 'Attempts that a rate limit refused: of sign-ins, or of client authentication.',
    labels: ['rule'],
    origin: 'latchkey',
  },
  'latchkey.events.waiting': {
    kind: 'gauge',
    unit: '{event}',
    help: 'Events that are not yet in the database.',
    labels: [],
    origin: 'latchkey',
  },
  'latchkey.events.dropped': {
    kind: 'counter',
    unit: '{event}',
    help: 'Events that were not stored, because too many waited for the database. The log has each.',
    labels: [],
    origin: 'latchkey',
  },
  'latchkey.hash.queue': {
    kind: 'gauge',
    unit: '{check}',
    help: 'Checks of passwords and secrets that wait or run, by queue.',
    labels: ['queue'],
    origin: 'latchkey',
  },
  'latchkey.hash.duration': {
    kind: 'histogram',
    unit: 's',
    help: 'Durations of these checks, without the time in the queue.',
    labels: ['queue'],
    bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    origin: 'latchkey',
  },
  'latchkey.hash.refused': {
    kind: 'counter',
    unit: '{check}',
    help: 'Checks that were refused because their queue was full or they waited too long.',
    labels: ['queue'],
    origin: 'latchkey',
  },
  'latchkey.database.connections': {
    kind: 'gauge',
    unit: '{connection}',
    help: 'Connections to PostgreSQL: used and idle.',
    labels: ['state'],
    origin: 'latchkey',
  },
  'latchkey.database.waiting': {
    kind: 'gauge',
    unit: '{request}',
    help: 'Requests that wait for a connection to PostgreSQL.',
    labels: [],
    origin: 'latchkey',
  },
  'latchkey.delivery.waiting': {
    kind: 'gauge',
    unit: '{message}',
    help: 'Messages in the outbox that are not delivered, such as mails.',
    labels: ['kind'],
    origin: 'latchkey',
  },
  'latchkey.delivery.oldest_age': {
    kind: 'gauge',
    unit: 's',
    help: 'Age of the oldest of these messages; 0 without one.',
    labels: ['kind'],
    origin: 'latchkey',
  },
  'latchkey.delivery.attempts': {
    kind: 'counter',
    unit: '{attempt}',
    help: 'Attempts to send these messages, by outcome: delivered, waiting for another attempt, or failed.',
    labels: ['kind', 'outcome'],
    origin: 'latchkey',
  },
  'latchkey.key.age': {
    kind: 'gauge',
    unit: 's',
    help: 'Time since the signing key of an algorithm began to sign.',
    labels: ['algorithm'],
    origin: 'latchkey',
  },
  'latchkey.key.signs_until.timestamp': {
    kind: 'gauge',
    unit: 's',
    help: 'Time at which this key is to be replaced, in seconds since 1970.',
    labels: ['algorithm'],
    origin: 'latchkey',
  },
  'latchkey.purge.last_success.timestamp': {
    kind: 'gauge',
    unit: 's',
    help: 'Time of the last complete purge of expired rows, in seconds since 1970.',
    labels: [],
    origin: 'latchkey',
  },
  'latchkey.audit.last_verified.timestamp': {
    kind: 'gauge',
    unit: 's',
    help: 'Time of the last verification of the audit log, in seconds since 1970.',
    labels: [],
    origin: 'latchkey',
  },
  'latchkey.audit.broken': {
    kind: 'gauge',
    unit: '{log}',
    help: 'Whether the last verification found that the audit log was changed: 1 or 0.',
    labels: [],
    origin: 'latchkey',
  },
  'latchkey.workers': {
    kind: 'gauge',
    unit: '{worker}',
    help: 'Worker processes of a node with several: wanted, and serving.',
    labels: ['state'],
    origin: 'latchkey',
  },
  'latchkey.workers.replaced': {
    kind: 'counter',
    unit: '{worker}',
    help: 'Worker processes that ended and were replaced.',
    labels: [],
    origin: 'latchkey',
  },
} as const satisfies Readonly<Record<string, MetricRow>>

export type MetricName = keyof typeof metricRows

export const metricNames: readonly MetricName[] = Object.keys(metricRows).filter(isMetricName)

export function metricRow(name: MetricName): MetricRow {
  return metricRows[name]
}

function isMetricName(name: string): name is MetricName {
  return Object.hasOwn(metricRows, name)
}

const unitSuffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes', '1': '_ratio' }

/** The unit in words as it ends a name; empty if values are counts. */
export function unitSuffix(name: MetricName): string {
  return unitSuffixes[metricRow(name).unit] ?? ''
}

/** Returns a name or a label as Prometheus writes it. */
export function prometheusText(name: string): string {
  return name.replaceAll('.', '_')
}

/** Returns the name of a metric in Prometheus, without the suffix of counters. */
export function familyName(name: MetricName): string {
  return prometheusText(name) + unitSuffix(name)
}
