/** Measures one load on several servers in alternating rounds. */
import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { measureLimit } from './limit.ts'
import { generateLoad, type Operations, type Supply } from './load-generator.ts'
import type { Load } from './loads.ts'
import type { BenchServer } from './servers.ts'
import type { StatementCounts } from './statements.ts'
import { median, quantile } from './statistics.ts'

export type Rounds = { readonly rounds: number; readonly seconds: number; readonly warmUpSeconds: number }

/** The measurements of one server under one load. */
export type Figures = {
  /** Operations per second of the server's processor time. */
  readonly perProcessorSecond: number
  /** Operations per second of processor time, including the time of the database server. */
  readonly perWholeProcessorSecond: number
  /** Operations per second of real time. */
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Statements per operation; NaN if they are not counted. */
  readonly reads: number
  readonly writes: number
}

/**
 * Medians over the rounds. A ratio is the median of the ratios of neighboring rounds, because the speed of a shared machine
 * changes from one minute to the next.
 */
export type Comparison = {
  readonly load: string
  readonly figures: readonly Figures[]
  /** The `perProcessorSecond` of the first server divided by that of the second; null without a second server. */
  readonly ratio: number | null
  /** The ratio of `perWholeProcessorSecond`; null without a second server. */
  readonly wholeRatio: number | null
  /** The speed of each server as a share of the load's `limit`, the bare cryptographic operation; empty without a limit. */
  readonly shareOfLimit: readonly number[]
}

/** The number of connections to each process that serves, so that several processes are as busy as one. */
const connectionsPerWorker = 16
/** The time to wait for work that a server does after its response, which also costs processor time. */
const settleMs = 400
const limitSeconds = 0.5

/** Compares servers under one load. A wrong response throws, because it would make the figures useless. */
export async function compare(
  load: Load,
  servers: readonly BenchServer[],
  { rounds, limits }: { readonly rounds: Rounds; readonly limits: ChildProcess },
): Promise<Comparison> {
  const runs: (() => Promise<Figures>)[] = []
  for (const server of servers) runs.push(await prepareRuns(load, server, rounds))
  const measured = runs.map((): Figures[] => [])
  const bare: number[] = []
  for (let round = 0; round < rounds.rounds; round++) {
    // The servers change places in each round, because the second one finds a machine that the first one warmed up
    const order = round % 2 === 0 ? [...runs.entries()] : [...runs.entries()].reverse()
    for (const [index, run] of order) measured[index]?.push(await run())
    if (load.limit !== undefined) {
      bare.push(await measureLimit(limits, { limit: load.limit, seconds: limitSeconds }))
    }
  }
  const costs = measured.map(all => all.map(each => each.perProcessorSecond))
  const wholeCosts = measured.map(all => all.map(each => each.perWholeProcessorSecond))
  return {
    load: load.name,
    figures: measured.map(mediansOf),
    ratio: medianRatio(costs[0], costs[1]),
    wholeRatio: medianRatio(wholeCosts[0], wholeCosts[1]),
    shareOfLimit: bare.length === 0 ? [] : costs.map(each => medianRatio(each, bare) ?? Number.NaN),
  }
}

const firstOperations = 300

/**
 * Warms the server up, and returns a function that measures one round. The first run prepares few operations, each later run as
 * many as the rate of the previous run requires.
 */
async function prepareRuns(
  load: Load,
  server: BenchServer,
  { seconds, warmUpSeconds }: Rounds,
): Promise<() => Promise<Figures>> {
  const supply: Supply = await load.prepare(server)
  let rate = firstOperations / seconds
  const run = async (duration: number) => {
    const figures = await measure(server, await supply(Math.ceil(rate * duration)), duration)
    rate = figures.perSecond
    return figures
  }
  await run(seconds)
  await run(warmUpSeconds)
  return () => run(seconds)
}

async function measure(server: BenchServer, operations: Operations, seconds: number): Promise<Figures> {
  await delay(settleMs)
  const statementsBefore = await server.statements()
  const before = server.processorSeconds()
  const connections = server.workers * connectionsPerWorker
  const result = await generateLoad({ origin: server.origin, operations, connections, seconds })
  await delay(settleMs)
  const after = server.processorSeconds()
  const statements = await server.statements()
  const count = result.milliseconds.length
  const sent = (kind: keyof StatementCounts) =>
    ((statements?.[kind] ?? Number.NaN) - (statementsBefore?.[kind] ?? 0)) / count
  return {
    perProcessorSecond: count / (after.server - before.server),
    perWholeProcessorSecond: count / (after.whole - before.whole),
    perSecond: count / result.seconds,
    p50Ms: quantile(result.milliseconds, 0.5),
    p99Ms: quantile(result.milliseconds, 0.99),
    reads: sent('read'),
    writes: sent('write'),
  }
}

function mediansOf(figures: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => median(figures.map(each => each[name]))
  return {
    perProcessorSecond: of('perProcessorSecond'),
    perWholeProcessorSecond: of('perWholeProcessorSecond'),
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    reads: of('reads'),
    writes: of('writes'),
  }
}

function medianRatio(first: readonly number[] = [], second?: readonly number[]): number | null {
  if (second === undefined) return null
  return median(first.map((each, round) => each / (second[round] ?? Number.NaN)))
}
