/** Opens the database and creates the stores. `#prisma/migrate.ts` creates the tables before. */
import { chmodSync, existsSync } from 'node:fs'
import type { AuditHash } from '#lib/ports/admin-store.ts'
import { type Database, type DatabaseLocation, openDatabase } from './database.ts'
import { refusingWhenUnavailable } from './database-errors.ts'
import { createRevisionCache, readRevision } from './prisma/configuration/configuration.ts'
import { createUsageMarks } from './prisma/events/usage-marks.ts'
import { purge } from './purge.ts'
import { takeLease } from './sqlite/sqlite-lease.ts'
import { createStores } from './stores.ts'

export type Storage = Awaited<ReturnType<typeof openStorage>>

/**
 * Throws a message for the operator when another process uses the SQLite file. Afterwards every port throws
 * `OauthError('temporarily_unavailable', …)` while the database is unavailable or overloaded. `auditHash` chains the audit rows.
 */
export async function openStorage(location: DatabaseLocation, auditHash: AuditHash) {
  const lease = location.kind === 'sqlite' ? takeLease(location.file) : null
  try {
    if (location.kind === 'sqlite') keepPrivate(location.file)
    const database = openDatabase(location)
    await readRevision(database)
    const isAlone = lease !== null
    const revision = createRevisionCache(database, isAlone)
    return {
      ...createStores(database, { location, isAlone, revision, auditHash }),
      usage: createUsageMarks(database),
      ...refusingWhenUnavailable({
        /** Throws when the database cannot be written: `temporarily_unavailable` where that passes by itself. */
        ping: () => probeWriting(database),
        /** Deletes expired rows and returns their number; erases values that need not be stored until then. */
        purge: (now: Date) => purge(database, now),
        close: async () => {
          await database.$disconnect()
          lease?.release()
        },
      }),
    }
  } catch (error) {
    lease?.release()
    throw error
  }
}

/** Only the server's own account may read the database; SQLite gives its other files the same permissions. */
function keepPrivate(file: string): void {
  if (existsSync(file)) chmodSync(file, 0o600)
}

/**
 * Tests whether the database accepts writes: one that is locked, full or read-only still answers every query. Writes one
 * small row that no other code locks.
 */
async function probeWriting({ meta }: Database): Promise<void> {
  const row = { name: 'written', value: 'yes' }
  await meta.upsert({ where: { name: row.name }, create: row, update: { value: row.value } })
}
