/** Whether the user of `DATABASE_URL` may create and use the tables: asked before a migration fails on it. */
import type { Transaction } from '@prisma/driver-adapter-utils'
import { ConfigError } from '#lib/errors/config-error.ts'

const rights = `SELECT quote_ident(current_database()), quote_ident(current_user),
  to_regclass('public._prisma_migrations') IS NULL,
  has_schema_privilege(current_user, 'public', 'CREATE'),
  (SELECT min(tablename::text) FROM pg_tables WHERE schemaname = 'public'
    AND tableowner = (SELECT tableowner FROM pg_tables WHERE schemaname = 'public' AND tablename = '_prisma_migrations')
    AND EXISTS (SELECT FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
      WHERE NOT has_table_privilege(current_user, quote_ident(schemaname) || '.' || quote_ident(tablename), privilege)))`

/** Throws a ConfigError with the statement that grants what is missing. */
export async function refuseMissingRights(transaction: Transaction): Promise<void> {
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
