/**
 * `npm run bench:lists`: fills a SQLite file and a PostgreSQL server with a million users, and measures queries of the
 * dashboard. Fails when one takes 200 ms or more at the 95th percentile.
 */
import { cpus, loadavg } from 'node:os'
import { migrate } from '#prisma/migrate.ts'
import { type Host, openHost, openSqliteHost } from '../testing/host.ts'
import { startPostgres } from '../testing/postgres.ts'
import { createChance } from './chance.ts'
import { fillPostgres, fillSqlite, type Rows } from './database.ts'
import { clients, type Dataset, users } from './dataset.ts'
import { clientDays, consents, counts, events, grants, sessions } from './history.ts'
import { overviewQuestions } from './overview-questions.ts'
import { type Question, questions } from './questions.ts'

const runs = Number(process.env.BENCH_RUNS ?? 200)
/** The number of users in thousands. Most other tables are scaled with it. */
const thousands = Number(process.env.BENCH_THOUSAND_USERS ?? 1000)
const only = process.env.BENCH_DATABASE
/** A filter: only questions whose names contain this text are measured. */
const part = process.env.BENCH_QUESTION ?? ''
const limitMs = 200
/** The number of days of client aggregates to generate: the longest period of the overview. */
const clientDaysKept = 90

const dataset: Dataset = { users: thousands * 1000, clients: thousands * 100, now: new Date() }

const slow = [
  ...(only === 'postgresql' ? [] : await onSqlite()),
  ...(only === 'sqlite' ? [] : await onPostgres()),
]
console.log(`\nevery p95 is under ${limitMs} ms: ${slow.length === 0 ? 'yes' : `no: ${slow.join('; ')}`}`)
process.exitCode = slow.length === 0 ? 0 : 1

async function onSqlite(): Promise<readonly string[]> {
  const empty = await openSqliteHost()
  try {
    if (empty.location.kind !== 'sqlite') return []
    const { file } = empty.location
    await empty.tables.$disconnect()
    await timed('filling SQLite', async () => fillSqlite(file, everything()))
    return await measureAll('SQLite', empty)
  } finally {
    await empty.close()
  }
}

async function onPostgres(): Promise<readonly string[]> {
  const server = await startPostgres()
  try {
    const location = { kind: 'postgresql', url: server.url } as const
    await migrate(location)
    await timed('filling PostgreSQL', () => fillPostgres(server.url, everything()))
    const host = await openHost(location)
    try {
      return await measureAll('PostgreSQL', host)
    } finally {
      await host.close()
    }
  } finally {
    await server.stop()
  }
}

function* everything(): Rows {
  const chance = createChance(7)
  yield* users(dataset, chance)
  yield* clients(dataset, chance)
  yield* sessions(dataset, thousands * 200, chance)
  yield* grants(dataset, thousands * 400, chance)
  yield* consents(dataset, thousands * 200, chance)
  yield* events(dataset, thousands * 1000, chance)
  yield* counts(dataset, { hourly: 100, daily: 400 })
  yield* clientDays(dataset, clientDaysKept, chance)
}

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const started = performance.now()
  await work()
  console.log(`${what}: ${Math.round((performance.now() - started) / 1000)} s`)
}

/** Returns the names of the questions that took too long. */
async function measureAll(database: string, { storage }: Host): Promise<readonly string[]> {
  console.log(
    `\n${database}, ${cpus().length} cores, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`,
  )
  console.log(`${dataset.users} users, ${dataset.clients} clients; milliseconds of ${runs} runs each\n`)
  console.log(line('', ['p50', 'p95', 'p99', 'worst']))
  const slow: string[] = []
  const asked = { storage, dataset, chance: createChance(11) }
  const every = [...(await questions(asked)), ...overviewQuestions(asked)]
  for (const question of every.filter(({ name }) => name.includes(part))) {
    const figures = await measure(question)
    const [p50, p95, p99, worst] = [0.5, 0.95, 0.99, 1].map(part => percentile(figures, part))
    console.log(
      line(
        question.name,
        [p50, p95, p99, worst].map(figure => (figure ?? 0).toFixed(1)),
      ),
    )
    if ((p95 ?? 0) >= limitMs) slow.push(`${database}, ${question.name}`)
  }
  return slow
}

async function measure({ ask }: Question): Promise<readonly number[]> {
  const figures: number[] = []
  await ask()
  while (figures.length < runs) {
    const started = performance.now()
    await ask()
    figures.push(performance.now() - started)
  }
  return figures.toSorted((left, right) => left - right)
}

function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0
}

function line(name: string, cells: readonly string[]): string {
  return name.padEnd(46) + cells.map(cell => cell.padStart(9)).join('')
}
