/**
 * SQLite for Prisma: a separate thread writes, and connections on this thread read. In WAL mode readers see committed
 * data and do not wait.
 * All writes of Prisma use one connection. Without a gate, a statement of another request would run *inside* the
 * transaction that happens to be open, and a rollback would undo it after it was acknowledged. Here every other writer
 * waits while a transaction is open. Code inside a transaction must use only that transaction's client.
 */
import { channel } from 'node:diagnostics_channel'
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  Transaction,
} from '@prisma/driver-adapter-utils'
import { sqliteBusyTimeoutMs, sqliteReadTimeoutMs } from '#lib/config/limits.ts'
import { type ApplyChange, batchChanges } from './change-batches.ts'
import { openSqliteReader, type SqliteReader } from './sqlite-statements.ts'
import { openSqliteWriter, type SqliteWriter } from './sqlite-writer.ts'

/**
 * Publishes `read` for each statement that this thread executes, and `write` for each message with which the other
 * thread executes statements, except scripts. Tests count them.
 */
export const sqliteChannel = channel('latchkey:sqlite')

/**
 * The settings of a connection. `wal_autocheckpoint`: the write-ahead log grows to 32 MB before a checkpoint, because
 * random keys change the same pages repeatedly. `cache_size`: 64 MB was not faster than 16 MB, even with 3 million
 * stored tokens.
 */
const pragmas = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA cache_size = -16384;
  PRAGMA wal_autocheckpoint = 8000;
  PRAGMA busy_timeout = ${sqliteBusyTimeoutMs};
`

/** The adapter. `connect` must be called before the other functions. */
type SqliteAdapter = SqlDriverAdapterFactory & {
  /** Inserts in a separate transaction with one message to the thread. */
  readonly insertTogether: SqliteWriter['insertTogether']
  readonly first: SqliteReader['first']
  readonly change: ApplyChange
}

type Opened = { readonly writer: SqliteWriter; readonly reader: SqliteReader }

/**
 * Creates the adapter factory for one SQLite file. The caller must have the file's lease. `processors`: how many this
 * process may use; with one, changes wait briefly to share a message to the thread that writes.
 */
export function sqliteAdapter(file: string, processors?: number): SqliteAdapter {
  const reading = readingAdapter(file, sqliteReadTimeoutMs)
  const gate = createGate()
  let opened: Opened | null = null
  const connected = () => {
    if (opened === null) throw new Error('The database is not open.')
    return opened
  }
  const change = batchChanges(sent => {
    sqliteChannel.publish('write')
    return gate.pass(() => connected().writer.change(sent))
  }, processors)
  return {
    provider: reading.provider,
    adapterName: reading.adapterName,
    connect: async () => {
      const writer = await openSqliteWriter({ file, timeout: sqliteBusyTimeoutMs, pragmas })
      let reader: SqliteReader | null = null
      try {
        reader = openSqliteReader(file)
        const adapter = joined(await reading.connect(), { writer: counted(writer), reader }, gate)
        opened = { writer, reader }
        return adapter
      } catch (error) {
        reader?.close()
        await writer.close()
        throw error
      }
    },
    insertTogether: (insertions, patience) => {
      sqliteChannel.publish('write')
      return gate.pass(() => connected().writer.insertTogether(insertions, patience))
    },
    first: (statement, values) => {
      sqliteChannel.publish('read')
      return connected().reader.first(statement, values)
    },
    change,
  }
}

/** Creates a read-only adapter. It needs no lease and does not create a missing file. */
export function readingAdapter(file: string, timeout = sqliteBusyTimeoutMs): SqlDriverAdapterFactory {
  return new PrismaBetterSqlite3({ url: file, timeout, readonly: true, fileMustExist: true })
}

function joined(reader: SqlDriverAdapter, opened: Opened, gate: Gate): SqlDriverAdapter {
  const { writer } = opened
  return {
    provider: reader.provider,
    adapterName: reader.adapterName,
    queryRaw: query => {
      if (!onlyReads(query)) return gate.pass(() => writer.queryRaw(query))
      sqliteChannel.publish('read')
      return reader.queryRaw(query)
    },
    executeRaw: query => gate.pass(() => writer.executeRaw(query)),
    executeScript: script => gate.pass(() => writer.executeScript(script)),
    startTransaction: async () => {
      const release = await gate.acquire()
      try {
        // NOTE: without IMMEDIATE, the first write after a read would fail instead of waiting for another process
        await writer.executeRaw(statement('BEGIN IMMEDIATE'))
        return transactionOn(reader, writer, release)
      } catch (error) {
        release()
        throw error
      }
    },
    getConnectionInfo: () => reader.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    dispose: async () => {
      opened.reader.close()
      await reader.dispose()
      await writer.close()
    },
  }
}

/** Wraps the writer so that each statement of Prisma is published as a message to the thread. */
function counted(writer: SqliteWriter): SqliteWriter {
  const run = (query: SqlQuery) => {
    sqliteChannel.publish('write')
    return writer.executeRaw(query)
  }
  const read = (query: SqlQuery) => {
    sqliteChannel.publish('write')
    return writer.queryRaw(query)
  }
  return { ...writer, executeRaw: run, queryRaw: read }
}

/** Whether a statement only reads. The reader refuses to write, so a wrong result is an error and never a lost row. */
function onlyReads({ sql }: SqlQuery): boolean {
  return /^\s*SELECT\b/i.test(sql)
}

function statement(sql: string): SqlQuery {
  return { sql, args: [], argTypes: [] }
}

function transactionOn(
  { provider, adapterName }: SqlDriverAdapter,
  writer: SqliteWriter,
  release: () => void,
): Transaction {
  let isEnded = false
  const run = async (sql: string) => {
    await writer.executeRaw(statement(sql))
  }
  return {
    provider,
    adapterName,
    options: { usePhantomQuery: false },
    queryRaw: writer.queryRaw,
    executeRaw: async query => {
      const changed = await writer.executeRaw(query)
      if (query.sql === 'COMMIT' || query.sql === 'ROLLBACK') isEnded = true
      return changed
    },
    commit: async () => release(),
    rollback: async () => {
      try {
        // NOTE: after a failed COMMIT Prisma only releases the connection, which would remain in the transaction
        if (!isEnded) await run('ROLLBACK')
      } finally {
        release()
      }
    },
    createSavepoint: name => run(`SAVEPOINT ${name}`),
    rollbackToSavepoint: name => run(`ROLLBACK TO ${name}`),
    releaseSavepoint: name => run(`RELEASE SAVEPOINT ${name}`),
  }
}

type Gate = {
  /** Waits until the gate is free, then starts `work` in the same turn. */
  readonly pass: <T>(work: () => Promise<T>) => Promise<T>
  /** Waits for its turn, then keeps the gate closed until the returned function is called. */
  readonly acquire: () => Promise<() => void>
}

export function createGate(): Gate {
  const waiting: (() => void)[] = []
  let isHeld = false

  /**
   * Wakes waiting callers. NOTE: only those that may proceed; waking all of them each time takes seconds with a
   * thousand callers.
   */
  function admit(): void {
    for (let next = takeNext(); next !== undefined; next = takeNext()) next()
  }

  function takeNext(): (() => void) | undefined {
    return isHeld ? undefined : waiting.shift()
  }

  function take(): () => void {
    isHeld = true
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      isHeld = false
      admit()
    }
  }

  return {
    pass: work => (isHeld ? new Promise(resolve => waiting.push(() => resolve(work()))) : work()),
    acquire: async () => (isHeld ? new Promise(resolve => waiting.push(() => resolve(take()))) : take()),
  }
}
