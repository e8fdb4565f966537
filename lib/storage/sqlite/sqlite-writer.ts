/**
 * Writes to a SQLite file on a separate thread. NOTE: a commit waits for the disk; on the thread that serves requests, all
 * requests would wait with it.
 */
import { Worker } from 'node:worker_threads'
import { DriverAdapterError, type SqlQuery, type SqlResultSet } from '@prisma/driver-adapter-utils'

/** A separate transaction. */
export type Together = { readonly kind: 'together'; readonly insertions: readonly RowByRow[] } & Patience

/** A statement for one row, and the rows: a JSON list of lists of its parameters. */
export type RowByRow = { readonly sql: string; readonly rows: string }

/** `canWait`: no request waits for it, so other transactions may go first. */
export type Patience = { readonly canWait: boolean }

export type Order =
  | Together
  | { readonly kind: 'query' | 'execute'; readonly query: SqlQuery }
  | { readonly kind: 'script'; readonly script: string }
  | { readonly kind: 'open' | 'close' }

type Success =
  | { readonly kind: 'rows'; readonly rows: SqlResultSet }
  | { readonly kind: 'changed'; readonly count: number }
  | { readonly kind: 'done' }

export type Outcome =
  | Success
  /** The database's own error. */
  | { readonly kind: 'refused'; readonly cause: DriverAdapterError['cause'] }
  | { readonly kind: 'failed'; readonly error: unknown }

export type Numbered<Given extends Order = Order> = { readonly id: number; readonly order: Given }
export type NumberedOutcome = { readonly id: number; readonly outcome: Outcome }

export type SqliteWriter = {
  readonly queryRaw: (query: SqlQuery) => Promise<SqlResultSet>
  /** Returns how many rows it changed. */
  readonly executeRaw: (query: SqlQuery) => Promise<number>
  /** All or none. No transaction may be open. */
  readonly insertTogether: (insertions: readonly RowByRow[], patience: Patience) => Promise<void>
  readonly executeScript: (script: string) => Promise<void>
  readonly close: () => Promise<void>
}

export type WriterFile = { readonly file: string; readonly timeout: number; readonly pragmas: string }

/** Resolves when the connection is open and set up. Orders are carried out in the order in which they came. */
export async function openSqliteWriter(workerData: WriterFile): Promise<SqliteWriter> {
  // The bundler knows this form and brings the file along
  const thread = new Worker(new URL('./sqlite-writer-thread.ts', import.meta.url), {
    workerData,
    // What the process was started with may fit no file
    execArgv: [],
  })
  const ask = asker(thread)
  try {
    await ask({ kind: 'open' })
  } catch (error) {
    await thread.terminate()
    throw error
  }
  return {
    queryRaw: async query => {
      const answer = await ask({ kind: 'query', query })
      return answer.kind === 'rows' ? answer.rows : unexpected(answer)
    },
    executeRaw: async query => {
      const answer = await ask({ kind: 'execute', query })
      return answer.kind === 'changed' ? answer.count : unexpected(answer)
    },
    insertTogether: async (insertions, { canWait }) => {
      await ask({ kind: 'together', insertions, canWait })
    },
    executeScript: async script => {
      await ask({ kind: 'script', script })
    },
    close: async () => {
      await ask({ kind: 'close' })
    },
  }
}

function unexpected({ kind }: Success): never {
  throw new Error(`The thread that writes the database answered with ${kind}.`)
}

/** The thread keeps the process alive only while a call waits for it. */
function asker(thread: Worker): (order: Order) => Promise<Success> {
  const waiting = new Map<number, PromiseWithResolvers<Success>>()
  let count = 0
  let ended: Error | null = null

  const fail = (error: Error) => {
    ended ??= error
    for (const asked of waiting.values()) asked.reject(ended)
    waiting.clear()
  }
  thread.on('message', ({ id, outcome }: NumberedOutcome) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) thread.unref()
    if (asked !== undefined) settle(asked, outcome)
  })
  thread.on('error', fail)
  thread.on('exit', () => fail(new Error('The thread that writes the database has ended.')))
  thread.unref()

  return order => {
    if (ended !== null) return Promise.reject(ended)
    if (waiting.size === 0) thread.ref()
    count += 1
    const asked = Promise.withResolvers<Success>()
    waiting.set(count, asked)
    thread.postMessage({ id: count, order } satisfies Numbered)
    return asked.promise
  }
}

function settle({ resolve, reject }: PromiseWithResolvers<Success>, outcome: Outcome): void {
  if (outcome.kind === 'refused') reject(new DriverAdapterError(outcome.cause))
  else if (outcome.kind === 'failed') reject(outcome.error)
  else resolve(outcome)
}
