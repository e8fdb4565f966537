/** Opens the database. One type covers the two generated clients, so that each port is written once. */
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { storage } from '#lib/config/limits.ts'
import type { ConnectionCounts } from '#lib/ports/administration.ts'
import { PrismaClient as PostgresClient } from '#prisma/generated/postgres/client.ts'
import { type Prisma, PrismaClient as SqliteClient } from '#prisma/generated/sqlite/client.ts'
import { openPastPooler, openPool, type PoolSettings, readOnlyPoolOptions } from './postgres-pool.ts'
import { postgresStatements } from './sql/postgres-statements.ts'
import { type Cells, type Change, type Key, requireKeys, type Statement } from './sql/statement.ts'
import { readingAdapter, sqliteAdapter } from './sqlite/sqlite-adapter.ts'
import type { Patience, RowByRow } from './sqlite/sqlite-writer.ts'

type Model = Uncapitalize<Prisma.ModelName>
type Operation =
  | 'findUnique'
  | 'findFirst'
  | 'findMany'
  | 'create'
  | 'createMany'
  | 'update'
  | 'updateMany'
  | 'delete'
  | 'deleteMany'
  | 'upsert'
  | 'count'

/** The tables, inside or outside a transaction. */
export type Tables = { readonly [M in Model]: Pick<SqliteClient[M], Operation> } & {
  /** Executes one statement and returns the number of changed rows. */
  readonly $executeRaw: (statement: Prisma.Sql) => Promise<number>
  /** Runs one query; the caller parses the rows with a schema. */
  readonly $queryRaw: (statement: Prisma.Sql) => Promise<unknown>
}

export type Dialect = DatabaseLocation['kind']

export type ReadOnlyDatabase = Tables & { readonly $disconnect: () => Promise<void> }

/** A writable database. `sql/statement.ts` explains `$first` and `$change`. */
export type Database = ReadOnlyDatabase & {
  readonly dialect: Dialect
  readonly $transaction: <R>(
    work: (tables: Tables) => Promise<R>,
    options?: { timeout?: number },
  ) => Promise<R>
  /**
   * Inserts all rows or none. NOTE: on SQLite other writers wait while a transaction is open, so the statements are
   * sent together and not one by one.
   */
  readonly $insertTogether: (insertions: readonly Insertion[], patience?: Patience) => Promise<void>
  /** Returns the first row of a query; `null` if there is none. */
  readonly $first: (statement: Statement, keys: readonly Key[]) => Promise<Cells | null>
  /** Applies a change. Returns the name of the condition that failed; `null` when everything is written. */
  readonly $change: (change: Change) => Promise<string | null>
  /** Counts the connections to PostgreSQL; `null` on SQLite. */
  readonly $connections: () => ConnectionCounts | null
}

/**
 * The rows for one table as one statement (`whole`), or as one prepared statement that is repeated (`each`) where that
 * is faster.
 */
export type Insertion = { readonly whole: Prisma.Sql; readonly each: RowByRow | null }

const transactionOptions = { maxWait: storage.transactionWaitMs, timeout: storage.transactionMs }

/** Measures statements, each with the milliseconds that it took. */
export type StatementMeter = {
  readonly read: (milliseconds: number, statement: Statement) => void
  readonly change: (milliseconds: number, change: Change) => void
  readonly insert: (milliseconds: number) => void
}

type DatabaseOptions = PoolSettings & {
  /** Absent if statements are not measured. */
  readonly meter?: StatementMeter | undefined
  /** The number of processors for this process; by default, all that are available. */
  readonly processors?: number
}

export function openDatabase(location: DatabaseLocation, options: DatabaseOptions = {}): Database {
  const database =
    location.kind === 'sqlite'
      ? openSqlite(location.file, options.processors)
      : openPostgres(location.url, options)
  return options.meter === undefined ? database : measured(database, options.meter)
}

/** Replaces the functions for plain statements by functions that measure them. Prisma's functions are not measured. */
function measured(database: Database, { read, change, insert }: StatementMeter): Database {
  return Object.assign(database, {
    $first: timed(database.$first, read),
    $change: timed(database.$change, change),
    $insertTogether: timed(database.$insertTogether, insert),
  })
}

function timed<Given extends readonly unknown[], Result>(
  work: (...given: Given) => Promise<Result>,
  took: (milliseconds: number, ...given: Given) => void,
): (...given: Given) => Promise<Result> {
  return async (...given) => {
    const began = performance.now()
    try {
      return await work(...given)
    } finally {
      took(performance.now() - began, ...given)
    }
  }
}

/** Opens a database and its connections, also behind a pooler. NOTE: on SQLite, plain statements do not open them. */
export function connectDatabase(
  location: DatabaseLocation,
  options: DatabaseOptions = {},
): Promise<Database> {
  return openPastPooler(async settings => {
    const database = openDatabase(location, { ...options, ...settings })
    try {
      await database.meta.count()
      return database
    } catch (error) {
      await database.$disconnect()
      throw error
    }
  })
}

/** Opens a read-only client: the database itself refuses to write. */
export function openReadOnlyDatabase(
  location: DatabaseLocation,
  settings: PoolSettings = {},
): ReadOnlyDatabase {
  const options = { adapter: readOnlyAdapter(location, settings), transactionOptions }
  return location.kind === 'sqlite' ? new SqliteClient(options) : new PostgresClient(options)
}

/** Creates the adapter of a read-only connection. */
export function readOnlyAdapter(
  location: DatabaseLocation,
  settings: PoolSettings = {},
): SqlDriverAdapterFactory {
  return location.kind === 'sqlite'
    ? readingAdapter(location.file)
    : new PrismaPg(readOnlyPoolOptions(location.url, settings))
}

function openSqlite(file: string, processors?: number): Database {
  const adapter = sqliteAdapter(file, processors)
  return Object.assign(new SqliteClient({ adapter, transactionOptions }), {
    dialect: 'sqlite' as const,
    $insertTogether: (insertions: readonly Insertion[], patience = { canWait: false }) =>
      adapter.insertTogether(insertions.map(rowByRow), patience),
    $first: async (statement: Statement, keys: readonly Key[]) => adapter.first(statement, requireKeys(keys)),
    $change: adapter.change,
    $connections: () => null,
  })
}

function rowByRow({ whole, each }: Insertion): RowByRow {
  return each ?? { sql: whole.sql, rows: JSON.stringify([whole.values]) }
}

/**
 * Opens PostgreSQL. Prisma and the plain statements share the connections. NOTE: the return type also compares the two
 * schemas: a column that only one of them has does not compile.
 */
function openPostgres(url: string, settings: PoolSettings): Database {
  const pool = openPool(url, settings)
  const { first, change } = postgresStatements(pool)
  const adapter = new PrismaPg(pool, { disposeExternalPool: true })
  const client = new PostgresClient({ adapter, transactionOptions })
  return Object.assign(client, {
    dialect: 'postgresql' as const,
    $insertTogether: (insertions: readonly Insertion[]) => insertTogether(client, insertions),
    $first: async (statement: Statement, keys: readonly Key[]) => first(statement, requireKeys(keys)),
    $change: change,
    $connections: () => countConnections(pool),
  })
}

type PoolCounts = { readonly totalCount: number; readonly idleCount: number; readonly waitingCount: number }

function countConnections({ totalCount, idleCount, waitingCount }: PoolCounts): ConnectionCounts {
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
}

async function insertTogether(client: PostgresClient, insertions: readonly Insertion[]): Promise<void> {
  const [first, ...others] = insertions
  if (first !== undefined && others.length === 0) await client.$executeRaw(first.whole)
  else
    await client.$transaction(async tables => {
      for (const { whole } of insertions) await tables.$executeRaw(whole)
    })
}
