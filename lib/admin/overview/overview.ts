/** The overview's figures, only from aggregates: as fast with a billion events as with ten. */
import { purgedMetric } from '#lib/ports/aggregates.ts'
import { startOfDay } from '#lib/protocol/time.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { busiestClients, type RankedClient } from './busiest-clients.ts'
import {
  type CountedRow,
  type CountedRows,
  firstKnown,
  knowsBefore,
  peopleMetric,
  readRows,
  visitMetric,
} from './counted-rows.ts'
import { type Period, type PeriodName, periodOf } from './period.ts'
import { oneSeries, type Ranked, ranked, type Series, seriesOf, total, valuesOf } from './tally.ts'

/** This period compared with the previous one, up to the same hour. `null`: not counted. */
export type Compared = {
  readonly now: number
  readonly before: number | null
  readonly values: readonly number[]
  readonly valuesBefore: readonly number[] | null
}

/** `now` is `null` when there was nothing to succeed at. */
export type Rate = { readonly now: number | null; readonly before: number | null }

export type Overview = {
  readonly period: Period
  /** Of buckets before this one nothing is known. */
  readonly known: number
  readonly countedSince: Date | null
  readonly signIns: Compared
  readonly people: Compared
  readonly tokens: Compared
  readonly failures: Compared
  readonly successRate: Rate
  readonly methods: readonly Series[]
  readonly reasons: readonly Series[]
  readonly grants: readonly Series[]
  readonly visitors: readonly Series[]
  /** Every reason of the period, not only those that fit a picture. */
  readonly allReasons: Ranked
  readonly funnel: Ranked
  /** How often APIs asked whether a token is good. */
  readonly tokenChecks: number
  readonly clients: readonly RankedClient[]
  /** What housekeeping removed, by what it was. */
  readonly purged: Ranked
}

const failed = ['sign_in_failed', 'refusal']
const metrics = ['sign_in', ...failed, 'tokens', 'token_checks', 'funnel', purgedMetric]
const funnelSteps = [
  'authorize',
  'login_shown',
  'sign_in',
  'consent',
  'turned_back',
  'answered',
  'code_redeemed',
]

type OverviewPorts = Pick<AdminPorts, 'rollUps' | 'clients' | 'flushEvents'>

export async function readOverview(
  ports: OverviewPorts,
  { name, now }: { readonly name: PeriodName; readonly now: Date },
): Promise<Overview> {
  await ports.flushEvents()
  const period = periodOf(name, now)
  const [rows, firstDay, clients] = await Promise.all([
    readRows(ports.rollUps, period, metrics),
    ports.rollUps.firstDay(),
    busiestClients(ports, period),
  ])
  const known = {
    known: firstKnown(period, firstDay),
    countedSince: firstDay === null ? null : startOfDay(firstDay),
  }
  return { period, ...known, clients, ...figures(rows, period, knowsBefore(period, firstDay)) }
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
    people: {
      ...compared(visitMetric),
      now: total(now(peopleMetric)),
      before: before && total(before(peopleMetric)),
    },
    tokens: compared('tokens'),
    failures: compared(...failed),
    successRate: { now: rateOf(now), before: before && rateOf(before) },
    methods: seriesOf(now('sign_in'), buckets),
    reasons: seriesOf(now(...failed), buckets),
    grants: seriesOf(now('tokens'), buckets),
    visitors: visitorsOf(now, buckets),
    allReasons: ranked(now(...failed)),
    funnel: funnelSteps.map(label => ({ label, count: steps.get(label) ?? 0 })),
    tokenChecks: total(now('token_checks')),
    purged: ranked(now(purgedMetric)),
  }
}

type RowsOf = (...names: readonly string[]) => readonly CountedRow[]

function byMetric(rows: readonly CountedRow[]): RowsOf {
  const groups = Map.groupBy(rows, ({ metric }) => metric)
  return (...names) => names.flatMap(name => groups.get(name) ?? [])
}

/** Of all tries to sign in, those that succeeded. */
function rateOf(rows: RowsOf): number | null {
  const [good, bad] = [total(rows('sign_in')), total(rows('sign_in_failed'))]
  return good + bad === 0 ? null : good / (good + bad)
}

/** Days have their visits; the totals have each person once. */
function visitorsOf(rows: RowsOf, buckets: number): readonly Series[] {
  const visits = Map.groupBy(rows(visitMetric), ({ label }) => label)
  if (visits.size === 0) return []
  const fresh = oneSeries('new', visits.get('new') ?? [], buckets)
  const back = oneSeries('returning', visits.get('returning') ?? [], buckets)
  return [{ ...back, total: total(rows(peopleMetric)) - fresh.total }, fresh]
}
