/** Finds out how a database executes the queries of the storage. */
import { mock } from 'node:test'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { z } from 'zod'
import type { DatabaseLocation } from '#lib/config/database-url.ts'

/**
 * Returns the plan of each query until `run` has ended. On PostgreSQL, sequential scans, bitmap scans and sorts, which
 * it prefers for small tables, are disabled: they appear in a plan only where no index can be used.
 */
export function queryPlans(
  location: DatabaseLocation,
  run: () => Promise<unknown>,
): Promise<readonly string[]> {
  return location.kind === 'sqlite' ? plansOnSqlite(location.file, run) : plansOnPostgres(location.url, run)
}

async function plansOnSqlite(file: string, run: () => Promise<unknown>): Promise<readonly string[]> {
  const prepare = mock.method(Sqlite.prototype, 'prepare')
  await run().finally(() => prepare.mock.restore())
  const database = new Sqlite(file, { readonly: true })
  const plans = prepare.mock.calls.map(({ arguments: [sql] }) => {
    const values = Array.from(sql.matchAll(/\?/g), () => null)
    return JSON.stringify(database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values))
  })
  database.close()
  return plans
}

const querySchema = z.object({ text: z.string(), values: z.array(z.unknown()) })

async function plansOnPostgres(url: string, run: () => Promise<unknown>): Promise<readonly string[]> {
  const query = mock.method(pg.Client.prototype, 'query')
  await run().finally(() => query.mock.restore())
  const client = new pg.Client(url)
  await client.connect()
  for (const way of ['seqscan', 'bitmapscan', 'sort']) await client.query(`SET enable_${way} = off`)
  const plans: string[] = []
  for (const call of query.mock.calls) {
    const { text, values } = querySchema.parse(call.arguments[0])
    plans.push(JSON.stringify((await client.query(`EXPLAIN ${text}`, values)).rows))
  }
  await client.end()
  return plans
}
