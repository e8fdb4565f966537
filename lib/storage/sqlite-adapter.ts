/**
 * Prisma's SQLite adapter has one connection. Without a gate, a statement of another request runs *inside* whatever
 * transaction happens to be open and is lost with its rollback, after it was acknowledged. Here everything outside
 * waits while a transaction is open. Code inside a transaction must use that transaction's client alone.
 */
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  Transaction,
} from '@prisma/driver-adapter-utils'
import { sqliteBusyTimeoutMs } from '#lib/config/limits.ts'
import { createGate } from './gate.ts'

const pragmas = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA busy_timeout = ${sqliteBusyTimeoutMs};
`

/** The adapter factory for one SQLite file. The caller holds the file's lease. */
export function sqliteAdapter(file: string): SqlDriverAdapterFactory {
  const factory = new PrismaBetterSqlite3({ url: file, timeout: sqliteBusyTimeoutMs })
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect()
      await adapter.executeScript(pragmas)
      return gated(adapter)
    },
  }
}

/** Takes no lease and needs none: it cannot write, and makes no file that is not there. */
export function readingAdapter(file: string): SqlDriverAdapterFactory {
  return new PrismaBetterSqlite3({
    url: file,
    timeout: sqliteBusyTimeoutMs,
    readonly: true,
    fileMustExist: true,
  })
}

function gated(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const gate = createGate()
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: query => gate.pass(() => adapter.queryRaw(query)),
    executeRaw: query => gate.pass(() => adapter.executeRaw(query)),
    executeScript: script => gate.pass(() => adapter.executeScript(script)),
    startTransaction: async isolationLevel => {
      const release = await gate.hold()
      try {
        return releasing(await adapter.startTransaction(isolationLevel), release)
      } catch (error) {
        release()
        throw error
      }
    },
    getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    dispose: () => adapter.dispose(),
  }
}

function releasing(transaction: Transaction, release: () => void): Transaction {
  let isEnded = false
  const executeRaw = async (query: SqlQuery) => {
    const changed = await transaction.executeRaw(query)
    if (query.sql === 'COMMIT' || query.sql === 'ROLLBACK') isEnded = true
    return changed
  }
  return {
    provider: transaction.provider,
    adapterName: transaction.adapterName,
    options: transaction.options,
    queryRaw: query => transaction.queryRaw(query),
    executeRaw,
    commit: () => transaction.commit().finally(release),
    rollback: async () => {
      try {
        // NOTE: after a COMMIT that failed Prisma only lets go, and the connection would stay inside.
        if (!isEnded) await executeRaw({ sql: 'ROLLBACK', args: [], argTypes: [] })
      } finally {
        await transaction.rollback().finally(release)
      }
    },
    ...savepoints(transaction),
  }
}

function savepoints(transaction: Transaction) {
  return {
    createSavepoint: async (name: string) => transaction.createSavepoint?.(name),
    rollbackToSavepoint: async (name: string) => transaction.rollbackToSavepoint?.(name),
    releaseSavepoint: async (name: string) => transaction.releaseSavepoint?.(name),
  }
}
