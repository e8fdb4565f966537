/** The state of the database: size, free space, last purge. */
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { DatabaseState, DatabaseStatus } from '#lib/ports/database-status.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import type { DatabaseLocation } from '../../location.ts'

/** The name in `Meta` under which a purge stores its time. */
export const purgedAt = 'purged'

export function createDatabaseStatus(database: Database, location: DatabaseLocation): DatabaseStatus {
  return {
    openedAt: new Date(),
    database: () => (location.kind === 'sqlite' ? fileState(location.file) : databaseState(database)),
    purgedAt: async () => {
      const found = await database.meta.findUnique({ where: { name: purgedAt } })
      return found === null ? null : new Date(found.value)
    },
  }
}

async function fileState(file: string): Promise<DatabaseState> {
  const sizes = await Promise.all([file, `${file}-wal`].map(sizeOf))
  const { bavail, bsize } = await statfs(dirname(file))
  return {
    kind: 'sqlite',
    file,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    freeBytes: bavail * bsize,
  }
}

/** The write-ahead log does not always exist. */
function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}

const sizeSchema = z.tuple([z.object({ bytes: z.coerce.number() })])

async function databaseState(database: Database): Promise<DatabaseState> {
  const found = await database.$queryRaw(
    Prisma.sql`SELECT pg_database_size(current_database())::text AS "bytes"`,
  )
  const [{ bytes }] = sizeSchema.parse(found)
  return { kind: 'postgresql', file: null, bytes, freeBytes: null }
}
