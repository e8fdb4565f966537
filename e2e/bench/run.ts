/**
 * `npm run bench`: what a request costs. Starts this checkout with its own SQLite file, one processor for the server and
 * another for the load, and measures each kind of request.
 * `npm run bench -- ../other-checkout` compares this checkout with a different one, which must have been prepared
 * (`node lib/server/bootstrap.mjs --prepare`), in alternating rounds.
 * `--only refresh` measures only the loads whose names contain this text; `--rounds 15`, `--seconds 1`, `--warm-up 3`.
 */
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Comparison, compare, type Rounds } from './compare.ts'
import { loads } from './loads.ts'
import { division, residentMegabytes } from './processor.ts'
import { type BenchServer, startServer } from './servers.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '1' },
    'warm-up': { type: 'string', default: '3' },
  },
})
const rounds: Rounds = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  warmUpSeconds: Number(values['warm-up']),
}
const [other] = positionals

const servers: BenchServer[] = []
try {
  servers.push(await startServer('here'))
  if (other !== undefined) servers.push(await startServer('there', resolve(other)))
  await compareAll()
} finally {
  await Promise.all(servers.map(server => server.stop()))
}

async function compareAll(): Promise<void> {
  const wanted = loads.filter(({ name }) => name.includes(values.only))
  if (wanted.length === 0) throw new Error(`No load has "${values.only}" in its name.`)
  console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} processors; ${division}`)
  console.log(`Node ${process.versions.node}; SQLite; RS256 keys of 2048 bits`)
  console.log(
    `medians of ${rounds.rounds} rounds of ${rounds.seconds} s; operations per second of processor time\n`,
  )
  console.log(row('', [...servers.map(({ name }) => name), 'ratio', 'per second', 'p50 ms', 'p99 ms']))
  for (const load of wanted) {
    const measured = servers.filter(server => load.isCommon || !server.isPeer)
    print(await compare(load, measured, rounds))
  }
  for (const { name, pid, megabytesAfterStart } of servers) {
    const now = residentMegabytes(pid)
    console.log(
      `memory, ${name}: ${Math.round(megabytesAfterStart)} MB after the start, ${Math.round(now)} MB now`,
    )
  }
}

function print({ load, figures, ratio }: Comparison): void {
  const costs = servers.map((_, index) => whole(figures[index]?.perProcessorSecond))
  const both = (text: (index: number) => string) => figures.map((_, index) => text(index)).join(' / ')
  console.log(
    row(load, [
      ...costs,
      ratio === null ? '–' : ratio.toFixed(2),
      both(index => whole(figures[index]?.perSecond)),
      both(index => (figures[index]?.p50Ms ?? 0).toFixed(1)),
      both(index => (figures[index]?.p99Ms ?? 0).toFixed(1)),
    ]),
  )
}

function whole(figure: number | undefined): string {
  return figure === undefined ? '–' : Math.round(figure).toLocaleString('en')
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(36) + cells.map(cell => cell.padStart(16)).join('')
}
