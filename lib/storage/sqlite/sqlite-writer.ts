/**
 * Writes to a SQLite file on a separate thread. NOTE: a commit waits for the disk; on the thread that serves requests,
 * all requests would wait as well.
 */
import { Worker } from 'node:worker_threads'
import { DriverAdapterError, type SqlQuery, type SqlResultSet } from '@prisma/driver-adapter-utils'
import type { SentChanges } from './sqlite-statements.ts'

/** A statement for one row, and the rows as JSON: a list of lists of its parameters. */
export type RowByRow = { readonly sql: string; readonly rows: string }

/** Priority of a call. `canWait`: no request waits for it, so other transactions may go first. */
export type Patience = { readonly canWait: boolean }

/** The result of a change: `written`, the index of the condition that failed, or the database's error. */
export type ChangeResult = 'written' | number | { readonly cause: DriverAdapterError['cause'] }

/**
 * The functions of the writer. Calls are carried out in the order in which they arrive, except insertions that can
 * wait.
 */
export type SqliteWriter = {
  /** Resolves when the connection is open and set up. */
  readonly open: () => Promise<void>
  readonly queryRaw: (query: SqlQuery) => Promise<SqlResultSet>
  /** Executes a statement and returns the number of changed rows. */
  readonly executeRaw: (query: SqlQuery) => Promise<number>
  /** Inserts all rows or none, in a separate transaction. No transaction may be open. */
  readonly insertTogether: (insertions: readonly RowByRow[], patience: Patience) => Promise<void>
  /** Applies each change completely or not at all. No transaction may be open. */
  readonly change: (sent: SentChanges) => Promise<readonly ChangeResult[]>
  readonly executeScript: (script: string) => Promise<void>
  readonly close: () => Promise<void>
}

type Name = keyof SqliteWriter
export type CallOf<N extends Name> = {
  readonly id: number
  readonly name: N
  readonly given: Parameters<SqliteWriter[N]>
}
export type Call = { [N in Name]: CallOf<N> }[Name]

export type Answer = { readonly id: number } & (
  | { readonly kind: 'done'; readonly result: unknown }
  /** An error of the database. */
  | { readonly kind: 'refused'; readonly cause: DriverAdapterError['cause'] }
  | { readonly kind: 'failed'; readonly error: unknown }
)

export type WriterFile = { readonly file: string; readonly timeout: number; readonly pragmas: string }

/** Starts the thread. Resolves when its connection is open and set up. */
export async function openSqliteWriter(workerData: WriterFile): Promise<SqliteWriter> {
  // The bundler recognizes this form and includes the file
  const thread = new Worker(new URL('./sqlite-writer-thread.ts', import.meta.url), {
    workerData,
    // The options of this process may not suit the thread
    execArgv: [],
  })
  const call = caller(thread)
  const writer: SqliteWriter = {
    open: () => call('open', []),
    queryRaw: query => call('queryRaw', [query]),
    executeRaw: query => call('executeRaw', [query]),
    insertTogether: (insertions, patience) => call('insertTogether', [insertions, patience]),
    change: sent => call('change', [sent]),
    executeScript: script => call('executeScript', [script]),
    close: () => call('close', []),
  }
  try {
    await writer.open()
    return writer
  } catch (error) {
    await thread.terminate()
    throw error
  }
}

/** Sends calls to the thread, which keeps the process alive only while a call is waiting. */
function caller(thread: Worker) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let count = 0
  let ended: Error | null = null

  const fail = (error: Error) => {
    ended ??= error
    for (const asked of waiting.values()) asked.reject(ended)
    waiting.clear()
  }
  thread.on('message', (answer: Answer) => {
    const asked = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) thread.unref()
    if (answer.kind === 'done') asked?.resolve(answer.result)
    else asked?.reject(answer.kind === 'refused' ? new DriverAdapterError(answer.cause) : answer.error)
  })
  thread.on('error', fail)
  thread.on('exit', () => fail(new Error('The thread that writes the database has ended.')))
  thread.unref()

  return <N extends Name>(name: N, given: Parameters<SqliteWriter[N]>): ReturnType<SqliteWriter[N]> => {
    const asked = Promise.withResolvers<unknown>()
    if (ended === null) {
      if (waiting.size === 0) thread.ref()
      count += 1
      waiting.set(count, asked)
      thread.postMessage({ id: count, name, given } satisfies CallOf<N>)
    } else asked.reject(ended)
    // The thread responds with the result of its function of the same name
    return asked.promise as ReturnType<SqliteWriter[N]>
  }
}
