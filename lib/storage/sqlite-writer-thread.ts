/** The thread that writes a SQLite file: one connection, one statement after the other. Started by `sqlite-writer.ts`. */
import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { isDriverAdapterError, type SqlDriverAdapter, type SqlQuery } from '@prisma/driver-adapter-utils'
import type { Numbered, NumberedOutcome, Order, Outcome, Together, WriterFile } from './sqlite-writer.ts'

const opening = open(workerData)
const waiting: Numbered[] = []
const patient: Numbered<Together>[] = []
let isWorking = false

parentPort?.on('message', ({ id, order }: Numbered) => {
  if (order.kind === 'together' && order.canWait) patient.push({ id, order })
  else waiting.push({ id, order })
  if (!isWorking) void work()
})

async function open({ file, timeout, pragmas }: WriterFile): Promise<SqlDriverAdapter> {
  const adapter = await new PrismaBetterSqlite3({ url: file, timeout }).connect()
  await adapter.executeScript(pragmas)
  return adapter
}

/**
 * By turns: all lists that somebody waits for, and one that can wait. Other orders wait for both, since one of them may
 * begin a transaction. NOTE: what came while the disk was busy is in the port until the next turn of the event loop.
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

/** One commit, and one wait for the disk, for all that came close together. Each that fails is undone alone. */
async function commitAll(orders: readonly Numbered<Together>[]): Promise<void> {
  const outcomes = new Map<number, Outcome>()
  try {
    const adapter = await opening
    await transaction(adapter, async () => {
      for (const { id, order } of orders) outcomes.set(id, await attempt(adapter, order.queries))
    })
  } catch (error) {
    for (const { id } of orders) outcomes.set(id, failure(error))
  }
  for (const [id, outcome] of outcomes) answer(id, outcome)
}

async function transaction(adapter: SqlDriverAdapter, write: () => Promise<void>): Promise<void> {
  await run(adapter, 'BEGIN')
  try {
    await write()
    await run(adapter, 'COMMIT')
  } catch (error) {
    // An error of the disk has ended it already
    await run(adapter, 'ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** @throws when the whole transaction is lost */
async function attempt(adapter: SqlDriverAdapter, queries: readonly SqlQuery[]): Promise<Outcome> {
  await run(adapter, 'SAVEPOINT attempt')
  try {
    for (const query of queries) await adapter.executeRaw(query)
    await run(adapter, 'RELEASE attempt')
    return { kind: 'done' }
  } catch (error) {
    await run(adapter, 'ROLLBACK TO attempt')
    await run(adapter, 'RELEASE attempt')
    return failure(error)
  }
}

async function run(adapter: SqlDriverAdapter, sql: string): Promise<void> {
  await adapter.executeRaw({ sql, args: [], argTypes: [] })
}

/** NOTE: an error loses its class and its own members on the way to another thread. */
function failure(error: unknown): Outcome {
  return isDriverAdapterError(error) ? { kind: 'refused', cause: error.cause } : { kind: 'failed', error }
}

async function outcomeOf(order: Exclude<Order, Together>): Promise<Outcome> {
  try {
    return await carryOut(await opening, order)
  } catch (error) {
    return failure(error)
  }
}

async function carryOut(adapter: SqlDriverAdapter, order: Exclude<Order, Together>): Promise<Outcome> {
  switch (order.kind) {
    case 'query':
      return { kind: 'rows', rows: await adapter.queryRaw(order.query) }
    case 'execute':
      return { kind: 'changed', count: await adapter.executeRaw(order.query) }
    case 'script':
      await adapter.executeScript(order.script)
      return { kind: 'done' }
    case 'close':
      await adapter.dispose()
      return { kind: 'done' }
    case 'open':
      return { kind: 'done' }
  }
}
