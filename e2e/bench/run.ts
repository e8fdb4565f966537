/**
 * `npm run bench`: the token endpoints through our own server and through `next start`, by turns, each with its own
 * SQLite file and its log thrown away by the same means. Fails when our own server is less than five times as fast.
 */
import { cpus } from 'node:os'
import { testConfiguration } from '../fixtures/configuration.ts'
import { machineToken } from '../fixtures/flow.ts'
import { freePort } from '../fixtures/free-port.ts'
import { type Latchkey, startLatchkey, startUnderNext } from '../fixtures/latchkey.ts'
import { type Load, loads, measure, median } from './measure.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 30)
const secondsEach = Number(process.env.BENCH_SECONDS ?? 0.75)
const warmUpSeconds = Number(process.env.BENCH_WARM_UP_SECONDS ?? 3)
const target = 5

type Host = { readonly name: string; readonly latchkey: Latchkey }

const hosts: Host[] = []
try {
  hosts.push({ name: 'npm start', latchkey: await startLatchkey(await options()) })
  hosts.push({ name: 'next start', latchkey: await startUnderNext(await options()) })
  process.exitCode = (await compareAll()) ? 0 : 1
} finally {
  await Promise.all(hosts.map(host => host.latchkey.stop()))
}

async function options() {
  return {
    port: await freePort(),
    configuration: testConfiguration({ app: 'https://app.example.org' }),
    environment: { LOG_LEVEL: 'info' },
    isQuiet: true,
  }
}

async function compareAll(): Promise<boolean> {
  console.log(
    `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores; Node ${process.versions.node}; SQLite; LOG_LEVEL=info`,
  )
  console.log(
    `${rounds} rounds of ${secondsEach} s by turns; load from a process of its own on the same machine; medians of requests/s and of ratios\n`,
  )
  console.log(row('', [...hosts.map(host => host.name), 'ratio']))
  const ratios: number[] = []
  for (const load of loads) ratios.push(await compare(load))
  const isMet = ratios.every(ratio => ratio >= target)
  console.log(`\nevery ratio is at least ${target}: ${isMet ? 'yes' : 'no'}`)
  return isMet
}

/**
 * Prints the line of one load and returns how many times faster the first host is: the median of what neighbours in time
 * say, since a machine that others use is not as fast a minute later.
 */
async function compare(load: Load): Promise<number> {
  const runs = await Promise.all(hosts.map(host => warmUp(host, load)))
  const figures = runs.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, run] of runs.entries()) figures[index]?.push(await run())
  }
  const [own = [], framework = []] = figures
  const ratio = median(own.map((figure, round) => figure / (framework[round] ?? Number.NaN)))
  console.log(row(load.name, [whole(median(own)), whole(median(framework)), `${ratio.toFixed(1)}×`]))
  return ratio
}

/** Returns what measures one round, after secrets were verified and code was compiled. */
async function warmUp({ latchkey: { origin } }: Host, load: Load): Promise<() => Promise<number>> {
  await machineToken(origin, 'machine')
  await machineToken(origin, 'machine-reference')
  const forms = await load.forms(origin)
  await measure({ origin, load, forms, seconds: warmUpSeconds })
  return () => measure({ origin, load, forms, seconds: secondsEach })
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(32) + cells.map(cell => cell.padStart(12)).join('')
}

function whole(figure: number): string {
  return Math.round(figure).toLocaleString('en')
}
