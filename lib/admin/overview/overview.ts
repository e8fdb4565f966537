/**
 * The figures of the overview. They are read from aggregates and a bounded number of events, in a time that does not depend on
 * the number of events.
 */
import { purgedMetric, responseTimeMetric } from '#lib/ports/aggregates.ts'
import { startOfDay } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../admin-ports.ts'
import {
  busiestClients,
  type CountedRow,
  type CountedRows,
  oneSeries,
  percentile,
  type Ranked,
  type RankedClient,
  ranked,
  readRows,
  type Series,
  seriesOf,
  total,
  userMetric,
  valuesOf,
  visitMetric,
} from './counts.ts'
import { type FailureAddresses, readFailureAddresses } from './failure-addresses.ts'
import { type Period, type PeriodName, periodOf } from './period.ts'

/**
 * A figure of this period and of the previous one up to the same hour. `before` and `valuesBefore` are `null` unless the
 * whole previous period was counted.
 */
export type Compared = {
  readonly now: number
  readonly before: number | null
  readonly values: readonly number[]
  readonly valuesBefore: readonly number[] | null
}

/** The share of sign-ins that succeeded; `null` without sign-ins, and like `Compared` for the previous period. */
export type Rate = { readonly now: number | null; readonly before: number | null }

/** Response times in milliseconds; `null` without responses. */
export type ResponseTime = { readonly p95: number | null; readonly values: readonly (number | null)[] }

export type Overview = {
  readonly period: Period
  /** The index of the first bucket that is not before the first counted day. */
  readonly knownFrom: number
  readonly countedSince: Date | null
  readonly signIns: Compared
  readonly users: Compared
  readonly tokens: Compared
  readonly failures: Compared
  readonly successRate: Rate
  /** The response times of the token endpoint. */
  readonly responseTime: ResponseTime
  readonly methods: readonly Series[]
  readonly reasons: readonly Series[]
  readonly grants: readonly Series[]
  readonly visitors: readonly Series[]
  /** Events of accounts by their kind, such as `registered` and `recovered`. */
  readonly accounts: Ranked
  /** All reasons of the period, also those that the chart leaves out. */
  readonly allReasons: Ranked
  readonly failureAddresses: FailureAddresses
  readonly funnel: Ranked
  /** The number of token validations by APIs. */
  readonly tokenChecks: number
  readonly clients: readonly RankedClient[]
}

const failed = ['sign_in_failed', 'refusal']
const metrics = ['sign_in', 'account', ...failed, 'tokens', 'token_checks', 'funnel', responseTimeMetric]
const funnelSteps = [
  'authorize',
  'login_shown',
  'sign_in',
  'consent',
  'turned_back',
  'answered',
  'code_redeemed',
]
const clientsRanked = 10

type OverviewPorts = Pick<AdminPorts, 'aggregates' | 'clients' | 'eventLog' | 'flushEvents'>

/**
 * Reads the figures of a period. Without a `name` the period is today until the first counted day ends, and the last 7 days
 * afterwards.
 */
export async function readOverview(
  ports: OverviewPorts,
  { name, now }: { readonly name: PeriodName | null; readonly now: Date },
): Promise<Overview> {
  await ports.flushEvents()
  const firstDay = await ports.aggregates.firstDay()
  const period = periodOf(name, firstDay, now)
  const [rows, clients, failureAddresses] = await Promise.all([
    readRows(ports.aggregates, period, metrics),
    busiestClients(ports, period, { by: 'tokens', limit: clientsRanked }),
    readFailureAddresses(ports, { from: startOfDay(period.first) }),
  ])
  const { unit, first, days, current } = period
  const knownFrom = unit === 'hour' ? 0 : Math.max(0, (firstDay ?? first + current) - first)
  const countedSince = firstDay === null ? null : startOfDay(firstDay)
  const isBeforeKnown = firstDay !== null && firstDay <= first - days
  return {
    period,
    knownFrom,
    countedSince,
    clients,
    failureAddresses,
    ...figures(rows, period, isBeforeKnown),
  }
}

/** Counts the rows that the purge deleted in the last 7 days, by their kind. */
export async function readPurged({ aggregates }: Pick<AdminPorts, 'aggregates'>, now: Date): Promise<Ranked> {
  const { current } = await readRows(aggregates, periodOf('7d', null, now), [purgedMetric])
  return ranked(current.filter(({ metric }) => metric === purgedMetric))
}

function figures(rows: CountedRows, period: Period, isBeforeKnown: boolean) {
  const buckets = period.starts.length
  const now = byMetric(rows.current)
  const before = isBeforeKnown ? byMetric(rows.before) : null
  const compared = (...names: readonly string[]): Compared => ({
    now: total(now(...names)),
    before: before && total(before(...names)),
    values: valuesOf(now(...names), buckets),
    valuesBefore: before && valuesOf(before(...names), buckets),
  })
  const steps = new Map(ranked(now('funnel')).map(({ label, count }) => [label, count]))
  return {
    signIns: compared('sign_in'),
    users: {
      ...compared(visitMetric),
      now: total(now(userMetric)),
      before: before && total(before(userMetric)),
    },
    tokens: compared('tokens'),
    failures: compared(...failed),
    successRate: { now: successRateOf(now), before: before && successRateOf(before) },
    responseTime: responseTimeOf(now(responseTimeMetric), buckets),
    methods: seriesOf(now('sign_in'), buckets),
    reasons: seriesOf(now(...failed), buckets),
    grants: seriesOf(now('tokens'), buckets),
    visitors: visitorsOf(now, buckets),
    accounts: ranked(now('account')),
    allReasons: ranked(now(...failed)),
    funnel: funnelSteps.map(label => ({ label, count: steps.get(label) ?? 0 })),
    tokenChecks: total(now('token_checks')),
  }
}

type RowsOf = (...names: readonly string[]) => readonly CountedRow[]

function byMetric(rows: readonly CountedRow[]): RowsOf {
  const groups = Map.groupBy(rows, ({ metric }) => metric)
  return (...names) => names.flatMap(name => groups.get(name) ?? [])
}

function successRateOf(rows: RowsOf): number | null {
  const [good, bad] = [total(rows('sign_in')), total(rows('sign_in_failed'))]
  return good + bad === 0 ? null : good / (good + bad)
}

function responseTimeOf(rows: readonly CountedRow[], buckets: number): ResponseTime {
  const groups = Map.groupBy(rows, ({ bucket }) => bucket)
  const values = Array.from({ length: buckets }, (_, bucket) => percentile(groups.get(bucket) ?? [], 0.95))
  return { p95: percentile(rows, 0.95), values }
}

/** The visitors by label. Values count the visits of each bucket; totals count each user once. */
function visitorsOf(rows: RowsOf, buckets: number): readonly Series[] {
  const visits = Map.groupBy(rows(visitMetric), ({ label }) => label)
  if (visits.size === 0) return []
  const fresh = oneSeries('new', visits.get('new') ?? [], buckets)
  const back = oneSeries('returning', visits.get('returning') ?? [], buckets)
  return [{ ...back, total: total(rows(userMetric)) - fresh.total }, fresh]
}
