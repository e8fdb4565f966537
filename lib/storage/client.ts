/** One type for the two generated clients, so that each port is written once. */
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlQuery } from '@prisma/driver-adapter-utils'
import { storage } from '#lib/config/limits.ts'
import { PrismaClient as PostgresClient } from '#prisma/generated/postgres/client.ts'
import { type Prisma, PrismaClient as SqliteClient } from '#prisma/generated/sqlite/client.ts'
import type { DatabaseLocation } from './location.ts'
import { readingAdapter, sqliteAdapter } from './sqlite-adapter.ts'
import type { Patience } from './sqlite-writer.ts'

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

/** The tables, outside or inside a transaction. */
export type Tables = { readonly [M in Model]: Pick<SqliteClient[M], Operation> } & {
  /** One statement whose text both databases understand. */
  readonly $executeRaw: (statement: Prisma.Sql) => Promise<number>
  /** Likewise; the caller reads the rows with a schema. */
  readonly $queryRaw: (statement: Prisma.Sql) => Promise<unknown>
}

export type Dialect = DatabaseLocation['kind']

export type Client = Tables & {
  readonly dialect: Dialect
  readonly $transaction: <R>(
    work: (tables: Tables) => Promise<R>,
    options?: { timeout?: number },
  ) => Promise<R>
  /**
   * All statements or none, each with text for parameters, where nobody looks at what they did. NOTE: on SQLite other
   * writers wait while a transaction is open, and it is open for as long as its statements travel one by one.
   */
  readonly $executeTogether: (statements: readonly Prisma.Sql[], patience?: Patience) => Promise<void>
  readonly $disconnect: () => Promise<void>
}

const transactionOptions = { maxWait: storage.transactionWaitMs, timeout: storage.transactionMs }

export function openClient(location: DatabaseLocation): Client {
  return location.kind === 'sqlite' ? openSqlite(location.file) : openPostgres(location.url)
}

/** The same, for somebody who only looks: the database itself refuses to write. */
export function openReader(location: DatabaseLocation): Client {
  return location.kind === 'sqlite'
    ? completed('sqlite', new SqliteClient({ adapter: readingAdapter(location.file), transactionOptions }))
    : openPostgres(location.url, '-c default_transaction_read_only=on')
}

function openSqlite(file: string): Client {
  const adapter = sqliteAdapter(file)
  return Object.assign(completed('sqlite', new SqliteClient({ adapter, transactionOptions })), {
    $executeTogether: (statements: readonly Prisma.Sql[], patience = { canWait: false }) =>
      adapter.executeTogether(statements.map(sqliteQuery), patience),
  })
}

function sqliteQuery({ sql, values }: Prisma.Sql): SqlQuery {
  return { sql, args: [...values], argTypes: values.map(() => ({ scalarType: 'string', arity: 'scalar' })) }
}

/** NOTE: the return type is also the drift check; a column that only one schema has does not compile. */
function openPostgres(url: string, options?: string): Client {
  const adapter = new PrismaPg({
    connectionString: url,
    max: storage.postgresConnections,
    connectionTimeoutMillis: storage.postgresConnectMs,
    statement_timeout: storage.postgresStatementMs,
    ...(options === undefined ? {} : { options }),
  })
  return completed('postgresql', new PostgresClient({ adapter, transactionOptions }))
}

function completed<Opened extends Pick<Client, '$transaction' | '$executeRaw'>>(
  dialect: Dialect,
  client: Opened,
): Opened & Pick<Client, 'dialect' | '$executeTogether'> {
  return Object.assign(client, {
    dialect,
    $executeTogether: async (statements: readonly Prisma.Sql[]) => {
      const [first, ...others] = statements
      if (first !== undefined && others.length === 0) await client.$executeRaw(first)
      else
        await client.$transaction(async tables => {
          for (const statement of statements) await tables.$executeRaw(statement)
        })
    },
  })
}
