/** Measures one load on several servers in alternating rounds. */
import { setTimeout as delay } from 'node:timers/promises'
import { generateLoad, type Operations } from './load-generator.ts'
import type { Load, Supply } from './loads.ts'
import { processorSeconds } from './processor.ts'
import type { BenchServer } from './servers.ts'
import { median, quantile } from './statistics.ts'

export type Rounds = { readonly rounds: number; readonly seconds: number; readonly warmUpSeconds: number }

/** Medians over the rounds, of operations. */
export type Figures = {
  readonly perProcessorSecond: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export type Comparison = {
  readonly load: string
  readonly figures: readonly Figures[]
  /**
   * Of the first server to the second, per second of processor time: the median of the ratios of neighbouring rounds,
   * because the speed of a shared machine changes from one minute to the next.
   */
  readonly ratio: number | null
}

const connections = 16
/** What a server writes after its response also costs processor time, up to this much later. */
const settleMs = 400

/** A wrong response would make the figures useless, so it is an error. */
export async function compare(
  load: Load,
  servers: readonly BenchServer[],
  { rounds, seconds, warmUpSeconds }: Rounds,
): Promise<Comparison> {
  const runs: (() => Promise<Figures>)[] = []
  for (const server of servers) {
    const supply = await load.prepare(server)
    const warm = await warmUp(server, supply, warmUpSeconds)
    let rate = warm.perSecond
    runs.push(async () => {
      const figures = await measure(server, await supply(Math.ceil(rate * seconds)), seconds)
      rate = figures.perSecond
      return figures
    })
  }
  const measured = runs.map((): Figures[] => [])
  for (let round = 0; round < rounds; round++) {
    // The second of a pair runs on a machine that the first one warmed up, so they change places
    const order = round % 2 === 0 ? [...runs.entries()] : [...runs.entries()].reverse()
    for (const [index, run] of order) measured[index]?.push(await run())
  }
  return { load: load.name, figures: measured.map(mediansOf), ratio: ratioOf(measured) }
}

const firstOperations = 300

/** A stock of operations is first small, then as large as the rate makes useful. */
async function warmUp(server: BenchServer, supply: Supply, seconds: number): Promise<Figures> {
  const { perSecond } = await measure(server, await supply(firstOperations), seconds)
  return measure(server, await supply(Math.ceil(perSecond * seconds)), seconds)
}

async function measure(server: BenchServer, operations: Operations, seconds: number): Promise<Figures> {
  await delay(settleMs)
  const before = processorSeconds(server.pid)
  const result = await generateLoad({ origin: server.origin, operations, connections, seconds })
  await delay(settleMs)
  const used = processorSeconds(server.pid) - before
  const count = result.milliseconds.length
  return {
    perProcessorSecond: count / used,
    perSecond: count / result.seconds,
    p50Ms: quantile(result.milliseconds, 0.5),
    p99Ms: quantile(result.milliseconds, 0.99),
  }
}

function mediansOf(figures: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => median(figures.map(each => each[name]))
  return {
    perProcessorSecond: of('perProcessorSecond'),
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
  }
}

function ratioOf([first, second]: readonly (readonly Figures[])[]): number | null {
  if (first === undefined || second === undefined) return null
  const ratios = first.map(
    (each, round) => each.perProcessorSecond / (second[round]?.perProcessorSecond ?? 0),
  )
  return median(ratios)
}
