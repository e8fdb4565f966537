/** Whether that in which a user changes the account still exists, until the transaction of the change ends. */
import type { ChangeSource } from '#lib/ports/change-source.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database, Tables } from '../../database.ts'

type Checked = { readonly within?: ChangeSource | undefined; readonly dialect: Database['dialect'] }

/**
 * Returns false if the session or the interrupted sign-in has ended. Otherwise a concurrent transaction that ends it waits, and
 * then sees the change; SQLite has one writer. NOTE: a transaction that also locks the row in `User` locks that first, as those
 * do that end sessions.
 */
export async function stillExists(tables: Tables, { within, dialect }: Checked): Promise<boolean> {
  if (within === undefined) return true
  const table = Prisma.raw(within.kind === 'session' ? '"Session"' : '"PartialSignIn"')
  const locked = Prisma.raw(dialect === 'sqlite' ? '' : 'FOR KEY SHARE')
  const rows = await tables.$queryRaw(
    Prisma.sql`SELECT 1 AS "found" FROM ${table} WHERE "digest" = ${within.digest} ${locked}`,
  )
  return Array.isArray(rows) && rows.length > 0
}
