/** The host of a contract suite: one opened storage, and a second connection to its tables. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseLocation } from '#lib/config/database-url.ts'
import type { AuditHash } from '#lib/ports/admin-store.ts'
import { migrate } from '#prisma/migrate.ts'
import { connectDatabase, type Database } from '../database.ts'
import { openStorage, type Storage } from '../open.ts'
import { copyDatabase } from './copy-database.ts'

/** Computes the hashes of the audit chain in tests, without a key. Tests in lib/crypto cover the real function. */
export const auditHash: AuditHash = (previous, row) => `${previous.length}:${row.seq}`

export type Host = {
  readonly storage: Storage
  /** A separate connection to the same database. */
  readonly tables: Database
  readonly location: DatabaseLocation
  readonly close: () => Promise<void>
}

/** Migrates a database and opens a storage on it. `close` leaves the database as it is. */
export async function openHost(location: DatabaseLocation): Promise<Host> {
  await migrate(location)
  const storage = await openStorage(location, auditHash)
  const tables = await connectDatabase(location)
  return {
    storage,
    tables,
    location,
    close: async () => {
      await tables.$disconnect()
      await storage.close()
    },
  }
}

/** Opens a storage on a temporary SQLite file. `close` deletes the file. */
export async function openSqliteHost(): Promise<Host> {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-storage-'))
  const file = join(folder, 'latchkey.db')
  await copyDatabase('migrated', file, async made => void (await migrate({ kind: 'sqlite', file: made })))
  const host = await openHost({ kind: 'sqlite', file })
  return {
    ...host,
    close: async () => {
      await host.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
