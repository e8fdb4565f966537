/** The thread that writes a SQLite file: one connection, one statement after the other. Started by `sqlite-writer.ts`. */

import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { isDriverAdapterError, type SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import Database, { type Statement } from 'better-sqlite3'
import type {
  Numbered,
  NumberedOutcome,
  Order,
  Outcome,
  RowByRow,
  Together,
  WriterFile,
} from './sqlite-writer.ts'

const opening = open(workerData)
const waiting: Numbered[] = []
const patient: Numbered<Together>[] = []
let isWorking = false

parentPort?.on('message', ({ id, order }: Numbered) => {
  if (order.kind === 'together' && order.canWait) patient.push({ id, order })
  else waiting.push({ id, order })
  if (!isWorking) void work()
})

/** Both in this thread, so neither ever writes while the other does. */
type Opened = { readonly adapter: SqlDriverAdapter; readonly inserter: SqliteInserter }

async function open(given: WriterFile): Promise<Opened> {
  const { file, timeout, pragmas } = given
  const adapter = await new PrismaBetterSqlite3({ url: file, timeout }).connect()
  await adapter.executeScript(pragmas)
  return { adapter, inserter: openSqliteInserter(given) }
}

/**
 * In turn: all lists that a request waits for, and one that can wait. Other orders wait for both, since one of them may begin
 * a transaction. NOTE: messages that came while the disk was busy are in the port until the next turn of the event loop.
 */
async function work(): Promise<void> {
  isWorking = true
  for (; waiting.length + patient.length > 0; await setImmediate()) {
    const together = takeTogether()
    if (together.length > 0) await commitAll(together)
    const one = patient.splice(0, 1)
    if (one.length > 0) await commitAll(one)
    else if (together.length === 0) await carryOutNext()
  }
  isWorking = false
}

function takeTogether(): readonly Numbered<Together>[] {
  const together: Numbered<Together>[] = []
  for (const { id, order } of waiting) {
    if (order.kind !== 'together') break
    together.push({ id, order })
  }
  waiting.splice(0, together.length)
  return together
}

async function carryOutNext(): Promise<void> {
  const next = waiting.shift()
  if (next === undefined || next.order.kind === 'together') return
  answer(next.id, await outcomeOf(next.order))
  if (next.order.kind === 'close') parentPort?.close()
}

function answer(id: number, outcome: Outcome): void {
  parentPort?.postMessage({ id, outcome } satisfies NumberedOutcome)
}

/** One commit, and one wait for the disk, for all orders. When it fails, each order is tried separately. */
async function commitAll(orders: readonly Numbered<Together>[]): Promise<void> {
  const { inserter } = await opening
  const areWritten = inserter.insert(orders.flatMap(({ order }) => order.insertions))
  for (const { id, order } of orders) answer(id, areWritten ? { kind: 'done' } : await outcomeOf(order))
}

/** By the adapter, whose errors are those that Prisma knows. */
async function insertAlone(adapter: SqlDriverAdapter, insertions: readonly RowByRow[]): Promise<void> {
  await run(adapter, 'BEGIN')
  try {
    for (const { sql, rows } of insertions)
      for (const args of rowsOf(rows))
        await adapter.executeRaw({ sql, args: [...args], argTypes: args.map(() => plain) })
    await run(adapter, 'COMMIT')
  } catch (error) {
    // An error of the disk has ended it already
    await run(adapter, 'ROLLBACK').catch(() => undefined)
    throw error
  }
}

const plain = { scalarType: 'unknown', arity: 'scalar' } as const

async function run(adapter: SqlDriverAdapter, sql: string): Promise<void> {
  await adapter.executeRaw({ sql, args: [], argTypes: [] })
}

/** NOTE: an error loses its class and its own members on the way to another thread. */
function failure(error: unknown): Outcome {
  return isDriverAdapterError(error) ? { kind: 'refused', cause: error.cause } : { kind: 'failed', error }
}

async function outcomeOf(order: Order): Promise<Outcome> {
  try {
    return await carryOut(await opening, order)
  } catch (error) {
    return failure(error)
  }
}

async function carryOut({ adapter, inserter }: Opened, order: Order): Promise<Outcome> {
  switch (order.kind) {
    case 'query':
      return { kind: 'rows', rows: await adapter.queryRaw(order.query) }
    case 'execute':
      return { kind: 'changed', count: await adapter.executeRaw(order.query) }
    case 'together':
      await insertAlone(adapter, order.insertions)
      return { kind: 'done' }
    case 'script':
      await adapter.executeScript(order.script)
      return { kind: 'done' }
    case 'close':
      inserter.close()
      await adapter.dispose()
      return { kind: 'done' }
    case 'open':
      return { kind: 'done' }
  }
}

type SqliteInserter = {
  /** One commit for all of them. `false` when something failed, and then nothing is written. */
  readonly insert: (insertions: readonly RowByRow[]) => boolean
  readonly close: () => void
}

/**
 * Inserts by prepared statements on a separate connection, while no other connection has a transaction open. NOTE: statements are
 * kept: preparing one costs as much as inserting a row, and one statement over JSON twice that.
 */
function openSqliteInserter({ file, timeout, pragmas }: WriterFile): SqliteInserter {
  const database = new Database(file, { timeout })
  database.exec(pragmas)
  const prepared = new Map<string, Statement>()
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? database.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }
  const insertAll = database.transaction((insertions: readonly RowByRow[]) => {
    for (const { sql, rows } of insertions) {
      const statement = prepare(sql)
      for (const row of rowsOf(rows)) statement.run(row)
    }
  })
  return {
    insert: insertions => {
      try {
        insertAll(insertions)
        return true
      } catch {
        return false
      }
    },
    close: () => {
      database.close()
    },
  }
}

/** Only this process writes these texts. */
function rowsOf(rows: string): readonly (readonly (string | number | null)[])[] {
  return JSON.parse(rows)
}
