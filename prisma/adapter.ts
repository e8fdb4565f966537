/**
 * Creates the driver adapter with which migrations connect to the database, without the pool and the threads of the
 * server.
 */
import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import { sqliteBusyTimeoutMs } from '#lib/config/limits.ts'

export function adapterFor(location: DatabaseLocation): SqlMigrationAwareDriverAdapterFactory {
  if (location.kind === 'sqlite')
    return new PrismaBetterSqlite3({ url: location.file, timeout: sqliteBusyTimeoutMs })
  return new PrismaPg({ connectionString: location.url, max: 1, connectionTimeoutMillis: 5000 })
}
