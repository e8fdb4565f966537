/** Lets one node at a time migrate a PostgreSQL database. */
import { PrismaPg } from '@prisma/adapter-pg'

/** Any number that only Latchkey's migrations use. */
const lockNumber = '7310443912'

/** Waits for its turn. The lock hangs on an open transaction, so it ends with the connection whatever happens. */
export async function holdMigrationLock(url: string): Promise<{ release: () => Promise<void> }> {
  const adapter = await new PrismaPg({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: 5000,
  }).connect()
  const transaction = await adapter.startTransaction()
  await transaction.executeRaw({ sql: `SELECT pg_advisory_xact_lock(${lockNumber})`, args: [], argTypes: [] })
  return {
    release: async () => {
      await transaction.executeRaw({ sql: 'ROLLBACK', args: [], argTypes: [] })
      await transaction.rollback()
      await adapter.dispose()
    },
  }
}
