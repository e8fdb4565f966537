/**
 * `npm run bench`: measures the processor time of each kind of request; with `--memory` or `--purge` the memory, or the cost of a
 * purge, instead. docs/performance.md describes the options. No figure fails a test, but a wrong response ends the run.
 */
import type { ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Comparison, compare } from './compare.ts'
import { startLimits } from './limit.ts'
import { loads } from './loads.ts'
import { measureMemory } from './memory.ts'
import { peerName, peerTitle } from './peer.ts'
import { leaveFirstProcessor, onFirstProcessor, residentMegabytes } from './processor.ts'
import { measurePurge } from './purge.ts'
import {
  circumstances,
  comparisonTable,
  databaseTable,
  printRows,
  type Table,
  writeSection,
} from './report.ts'
import { type BenchServer, startPeerServer, startServer } from './servers.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peer: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    stored: { type: 'string' },
    purge: { type: 'boolean', default: false },
    workers: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '1' },
    'warm-up': { type: 'string', default: '15' },
    profile: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const rounds = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  warmUpSeconds: Number(values['warm-up']),
}
const database = values.postgres ? 'postgresql' : 'sqlite'
const [other] = positionals
const section =
  values.workers !== undefined
    ? 'workers'
    : values.postgres
      ? 'postgresql'
      : values.stored === undefined
        ? 'comparison'
        : 'stored'
if (values.peer !== undefined && values.peer !== peerName) throw new Error(`The only peer is ${peerName}.`)
const wanted = loads.filter(({ name }) => name.includes(values.only))
if (wanted.length === 0) throw new Error(`No load has "${values.only}" in its name.`)

const versions = [
  database === 'sqlite' ? 'SQLite' : 'PostgreSQL',
  ...(values.peer === undefined ? [] : [peerTitle]),
]
const workers = values.workers === undefined ? undefined : Number(values.workers)
if (workers !== undefined && !values.postgres) throw new Error('Several workers need --postgres.')
const setting = circumstances(versions, { isShared: workers !== undefined })
for (const line of setting) console.log(line)

const servers: BenchServer[] = []
try {
  await start()
  if (values.memory) await showMemory()
  else if (values.purge) await showPurge()
  else if (workers !== undefined) await compareAll(startLimits())
  else await onFirstProcessor(async () => startLimits()).then(compareAll)
} finally {
  await Promise.all(servers.map(server => server.stop()))
}

async function start(): Promise<void> {
  // NOTE: this must precede the first start: otherwise the first server, but no other, would share its processor with its
  // database
  if (workers === undefined) leaveFirstProcessor()
  if (values.stored !== undefined) {
    const storedTokens = Number(values.stored) * 1_000_000
    servers.push(await startServer(`${values.stored} million tokens`, { database, storedTokens }))
    if (values.purge) return
  }
  if (workers !== undefined) {
    servers.push(await startServer(`${workers} workers`, { database, workers, profile: values.profile }))
    servers.push(await startServer('one process', { database, workers: 1 }))
    return
  }
  servers.push(await startServer('Latchkey', { database, profile: values.profile }))
  if (other !== undefined) servers.push(await startServer('there', { database, checkout: resolve(other) }))
  if (values.peer !== undefined) servers.push(await startPeerServer())
}

async function compareAll(limits: ChildProcess): Promise<void> {
  const method = `medians of ${rounds.rounds} rounds of ${rounds.seconds} s; the first columns are operations per second of processor time`
  console.log(`${method}\n`)
  const names = servers.map(({ name }) => name)
  const results: Comparison[] = []
  for (const load of wanted) {
    const measured = servers.filter(server => load.isCommon || !server.isPeer)
    results.push(await compare(load, measured, { rounds, limits }))
    printRows(comparisonTable(names, results.slice(-1)).rows)
  }
  limits.kill()
  const table = values.postgres ? databaseTable(names, results) : comparisonTable(names, results)
  report(section, [...setting, method], [table, memoryTable()])
}

function memoryTable(): Table {
  return {
    head: ['resident memory, MB', 'after the start', 'after these loads'],
    rows: servers.map(({ name, pid, megabytesAfterStart }) => [
      name,
      megabytesAfterStart.toFixed(0),
      residentMegabytes(pid).toFixed(0),
    ]),
  }
}

async function showMemory(): Promise<void> {
  const rows: string[][] = []
  for (const server of servers) {
    const readings = await measureMemory(server, [200_000, 50_000])
    rows.push([server.name, ...readings.map(({ megabytes }) => megabytes.toFixed(0))])
  }
  const head = ['resident memory, MB', 'after the start', 'after 200,000 requests', 'after 50,000 more']
  report('memory', setting, [{ head, rows }])
}

async function showPurge(): Promise<void> {
  for (const server of servers) report('purge', setting, [await measurePurge(server)])
}

function report(name: string, lines: readonly string[], tables: readonly Table[]): void {
  for (const table of tables) {
    console.log()
    printRows([table.head, ...table.rows])
  }
  const command = `\`npm run bench -- ${process.argv.slice(2).join(' ')}\`, ${new Date().toISOString().slice(0, 10)}`
  if (values.write) writeSection(name, [command, ...lines], tables)
}
