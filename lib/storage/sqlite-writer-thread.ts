/** The thread that writes a SQLite file: one connection, one statement after the other. Started by `sqlite-writer.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { isDriverAdapterError, type SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import type { NumberedOrder, NumberedOutcome, Order, Outcome, WriterFile } from './sqlite-writer.ts'

const opening = open(workerData)

parentPort?.on('message', async ({ id, order }: NumberedOrder) => {
  const outcome = await outcomeOf(order)
  parentPort?.postMessage({ id, outcome } satisfies NumberedOutcome)
  if (order.kind === 'close') parentPort?.close()
})

async function open({ file, timeout, pragmas }: WriterFile): Promise<SqlDriverAdapter> {
  const adapter = await new PrismaBetterSqlite3({ url: file, timeout }).connect()
  await adapter.executeScript(pragmas)
  return adapter
}

/** NOTE: an error loses its class and its own members on the way to another thread. */
async function outcomeOf(order: Order): Promise<Outcome> {
  try {
    return await carryOut(await opening, order)
  } catch (error) {
    return isDriverAdapterError(error) ? { kind: 'refused', cause: error.cause } : { kind: 'failed', error }
  }
}

async function carryOut(adapter: SqlDriverAdapter, order: Order): Promise<Outcome> {
  switch (order.kind) {
    case 'query':
      return { kind: 'rows', rows: await adapter.queryRaw(order.query) }
    case 'execute':
      return { kind: 'changed', count: await adapter.executeRaw(order.query) }
    case 'script':
      await adapter.executeScript(order.script)
      return { kind: 'done' }
    case 'open':
      return { kind: 'done' }
    case 'close':
      await adapter.dispose()
      return { kind: 'done' }
  }
}
