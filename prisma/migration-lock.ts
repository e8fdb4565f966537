/** Lets only one node at a time migrate a PostgreSQL database. */
import { setTimeout as delay } from 'node:timers/promises'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapter, Transaction } from '@prisma/driver-adapter-utils'
import { storage } from '#lib/config/limits.ts'
import { ConfigError } from '#lib/errors/config-error.ts'
import { connectionProblem } from '#lib/storage/database-errors.ts'

/** The number of the lock, an arbitrary one that only migrations of Latchkey use. */
const lockNumber = '7310443912'

/** The table that a database has while data of a SQLite database is being moved into it. */
export const moveTable = '_latchkey_move'

/**
 * Takes the lock. Waits up to `waitMs`, by default a minute. The lock belongs to an open transaction, so it always ends
 * with the connection. Throws a ConfigError if the server cannot be used, if tables would be created in a schema that
 * queries do not use, if the user lacks rights, if `npm run move` has not completed, or if another node does not release the
 * lock.
 */
export async function holdMigrationLock(
  url: string,
  waitMs: number = storage.migrationWaitMs,
): Promise<{ release: () => Promise<void> }> {
  const adapter = await connect(url)
  const transaction = await adapter.startTransaction()
  const release = async () => {
    await run(transaction, 'ROLLBACK')
    await transaction.rollback()
    await adapter.dispose()
  }
  try {
    await refuseOtherSchema(transaction)
    await refuseMissingRights(transaction)
    await waitForLock(transaction, performance.now() + waitMs)
    // A move marks the database while it holds the lock, for which this start may have waited
    await refuseUnfinishedMove(transaction)
  } catch (error) {
    await release()
    throw error
  }
  return { release }
}

/**
 * Asks for the lock again and again. NOTE: a statement that waits for it would have a snapshot, and the node that migrates waits
 * for the snapshots of all others when it creates an index concurrently.
 */
async function waitForLock(transaction: Transaction, deadline: number): Promise<void> {
  const sql = `SELECT pg_try_advisory_xact_lock(${lockNumber})`
  for (;;) {
    const { rows } = await transaction.queryRaw({ sql, args: [], argTypes: [] })
    if (rows[0]?.[0] === true) return
    if (performance.now() > deadline)
      throw new ConfigError(
        'DATABASE_URL: another Latchkey has been migrating this database for a minute; wait for it, or stop it.',
      )
    await delay(storage.migrationPauseMs)
  }
}

/**
 * Refuses a database user whose search_path leads to another schema, or to none. Migrations create tables in that
 * schema, but Prisma's queries use "public".
 */
async function refuseOtherSchema(transaction: Transaction): Promise<void> {
  const sql = 'SELECT current_schema()::text'
  const { rows } = await transaction.queryRaw({ sql, args: [], argTypes: [] })
  const schema = rows[0]?.[0]
  if (schema === 'public') return
  const place = typeof schema === 'string' ? `the schema "${schema}"` : 'no schema that this user may use'
  throw new ConfigError(
    `DATABASE_URL: this user's search_path leads to ${place}, but Latchkey's tables are in "public"; put that first.`,
  )
}

async function connect(url: string): Promise<SqlDriverAdapter> {
  const options = { connectionString: url, max: 1, connectionTimeoutMillis: storage.postgresConnectMs }
  try {
    const adapter = await new PrismaPg(options).connect()
    await adapter.executeRaw({ sql: 'SELECT 1', args: [], argTypes: [] })
    return adapter
  } catch (error) {
    throw connectionProblem(error, url)
  }
}

async function run(transaction: Transaction, sql: string): Promise<void> {
  await transaction.executeRaw({ sql, args: [], argTypes: [] })
}

/** Reads whether the user of `DATABASE_URL` may create and use the tables, before a migration fails without these rights. */
const rights = `SELECT quote_ident(current_database()), quote_ident(current_user),
  to_regclass('public._prisma_migrations') IS NULL,
  has_schema_privilege(current_user, 'public', 'CREATE') AND has_database_privilege(current_database(), 'CREATE'),
  (SELECT min(tablename::text) FROM pg_tables WHERE schemaname = 'public'
    AND tableowner = (SELECT tableowner FROM pg_tables WHERE schemaname = 'public' AND tablename = '_prisma_migrations')
    AND EXISTS (SELECT FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
      WHERE NOT has_table_privilege(current_user, quote_ident(schemaname) || '.' || quote_ident(tablename), privilege)))`

/** Throws a ConfigError if the user lacks rights, with the statement that grants them. */
async function refuseMissingRights(transaction: Transaction): Promise<void> {
  const { rows } = await transaction.queryRaw({ sql: rights, args: [], argTypes: [] })
  const [database, user, isEmpty, mayCreate, lockedTable] = rows[0] ?? []
  if (isEmpty === true && mayCreate === false)
    throw new ConfigError(
      `DATABASE_URL: this user may not create tables in the schema public of ${database}; make it the owner: ALTER DATABASE ${database} OWNER TO ${user}.`,
    )
  if (isEmpty === false && typeof lockedTable === 'string')
    throw new ConfigError(
      `DATABASE_URL: this user may not use the table "${lockedTable}" of ${database}; connect as the owner of the tables, or run as that owner: GRANT ALL ON ALL TABLES IN SCHEMA public TO ${user}.`,
    )
}

/** BAK-03: a server that starts with a part of its data would serve it, and its rows would collide with those to come. */
async function refuseUnfinishedMove(transaction: Transaction): Promise<void> {
  const sql = `SELECT to_regclass('public.${moveTable}') IS NOT NULL`
  const { rows } = await transaction.queryRaw({ sql, args: [], argTypes: [] })
  if (rows[0]?.[0] !== true) return
  throw new ConfigError(
    'DATABASE_URL: the data of a SQLite database has been moved here only in part; run the command "npm run move" again, which completes it.',
  )
}
