/**
 * `npm run bench`: requests per second of processor time, each server with its own SQLite file.
 * `npm run bench -- ../other-checkout` compares this checkout with a different one, which must have been prepared
 * (`node lib/server/bootstrap.mjs --prepare`), in alternating rounds.
 */
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { testConfiguration } from '../fixtures/configuration.ts'
import { freePort } from '../fixtures/free-port.ts'
import { type Latchkey, startLatchkey } from '../fixtures/latchkey.ts'
import { generateLoad, type LoadRequest } from './load-generator.ts'
import { appOrigin, type Load, loads } from './loads.ts'
import { processorSeconds } from './processor-time.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 15)
const secondsEach = Number(process.env.BENCH_SECONDS ?? 1)
const warmUpSeconds = Number(process.env.BENCH_WARM_UP_SECONDS ?? 3)
const connections = 16
const [other] = process.argv.slice(2)

const servers: Latchkey[] = []
try {
  servers.push(await start())
  if (other !== undefined) servers.push(await start(resolve(other)))
  console.log(
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores; Node ${process.versions.node}; SQLite`,
  )
  console.log(`medians of ${rounds} rounds of ${secondsEach} s; requests per second of processor time\n`)
  console.log(row('', other === undefined ? ['here'] : ['here', 'there', 'ratio']))
  for (const load of loads) await compare(load)
} finally {
  await Promise.all(servers.map(server => server.stop()))
}

async function start(checkout?: string): Promise<Latchkey> {
  return startLatchkey({
    port: await freePort(),
    configuration: testConfiguration({ app: appOrigin }),
    environment: { LOG_LEVEL: 'info' },
    isQuiet: true,
    ...(checkout === undefined ? {} : { checkout }),
  })
}

/**
 * Prints one line. The ratio is the median of the ratios of neighbouring rounds, because the speed of a shared
 * machine changes from one minute to the next.
 */
async function compare(load: Load): Promise<void> {
  const runs: (() => Promise<number>)[] = []
  for (const server of servers) {
    const requests = await load.requests(server.origin)
    await measure(server, requests, warmUpSeconds)
    runs.push(() => measure(server, requests, secondsEach))
  }
  const figures = runs.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    // The second of a pair runs on a machine that the first one warmed up, so they change places
    const order = round % 2 === 0 ? [...runs.entries()] : [...runs.entries()].reverse()
    for (const [index, run] of order) figures[index]?.push(await run())
  }
  const [here = [], there] = figures
  const cells = figures.map(each => Math.round(median(each)).toLocaleString('en'))
  const ratios = there === undefined ? [] : here.map((figure, round) => figure / (there[round] ?? Number.NaN))
  console.log(row(load.name, [...cells, ...(ratios.length === 0 ? [] : [`${median(ratios).toFixed(2)}×`])]))
}

/** A refusal would make the figure useless, so it is an error. */
async function measure(server: Latchkey, requests: readonly LoadRequest[], seconds: number): Promise<number> {
  const { origin, process: child } = server
  const before = processorSeconds(child.pid ?? 0)
  const { good, refused } = await generateLoad({ origin, requests, connections, seconds })
  if (refused > 0) throw new Error(`${refused} requests were refused, ${good} were answered`)
  return good / (processorSeconds(child.pid ?? 0) - before)
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  if (sorted.length % 2 === 1) return sorted[middle] ?? 0
  return ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(32) + cells.map(cell => cell.padStart(12)).join('')
}
