/** The thread that writes a SQLite file: one connection, one statement after the other. Started by `sqlite-writer.ts`. */

import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { isDriverAdapterError, type SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import Database, { type Statement } from 'better-sqlite3'
import type { Answer, Call, CallOf, RowByRow, SqliteWriter, WriterFile } from './sqlite-writer.ts'

const opening = open(workerData)
const waiting: Call[] = []
const patient: CallOf<'insertTogether'>[] = []
let isWorking = false

parentPort?.on('message', (call: Call) => {
  if (call.name === 'insertTogether' && call.given[1].canWait) patient.push(call)
  else waiting.push(call)
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
 * In turn: all lists that a request waits for, and one that can wait. Other calls wait for both, since one of them may begin
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

function takeTogether(): readonly CallOf<'insertTogether'>[] {
  const together: CallOf<'insertTogether'>[] = []
  for (const call of waiting) {
    if (call.name !== 'insertTogether') break
    together.push(call)
  }
  waiting.splice(0, together.length)
  return together
}

async function carryOutNext(): Promise<void> {
  const next = waiting.shift()
  if (next === undefined) return
  await carryOut(next)
  if (next.name === 'close') parentPort?.close()
}

async function carryOut(call: Call): Promise<void> {
  try {
    const result: unknown = await Reflect.apply(functions[call.name], null, call.given)
    answer({ id: call.id, kind: 'done', result })
  } catch (error) {
    // NOTE: an error loses its class and its own members on the way to another thread
    if (isDriverAdapterError(error)) answer({ id: call.id, kind: 'refused', cause: error.cause })
    else answer({ id: call.id, kind: 'failed', error })
  }
}

function answer(given: Answer): void {
  parentPort?.postMessage(given)
}

const functions: SqliteWriter = {
  open: async () => void (await opening),
  queryRaw: async query => (await opening).adapter.queryRaw(query),
  executeRaw: async query => (await opening).adapter.executeRaw(query),
  insertTogether: async insertions => insertAlone((await opening).adapter, insertions),
  executeScript: async script => (await opening).adapter.executeScript(script),
  close: async () => {
    const { adapter, inserter } = await opening
    inserter.close()
    await adapter.dispose()
  },
}

/** One commit, and one wait for the disk, for all calls. When it fails, each call is carried out separately. */
async function commitAll(calls: readonly CallOf<'insertTogether'>[]): Promise<void> {
  const { inserter } = await opening
  const areWritten = inserter.insert(calls.flatMap(({ given: [insertions] }) => insertions))
  for (const call of calls)
    if (areWritten) answer({ id: call.id, kind: 'done', result: undefined })
    else await carryOut(call)
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
