/** Named values of the installation, and the status of the database: size, free space, connections, last purge. */

import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { DatabaseState, DatabaseStatus } from '#lib/ports/administration.ts'
import { ConfigurationOutdated, type Meta } from '#lib/ports/configuration-store.ts'
import { Prisma } from '#prisma/generated/sqlite/client.ts'
import type { Database, ReadOnlyDatabase, Tables } from '../../database.ts'
import { isDuplicate } from '../../database-errors.ts'
import type { StoreContext } from '../../store.ts'

export function createMeta(database: ReadOnlyDatabase): Meta {
  const find = async (name: string) => (await database.meta.findUnique({ where: { name } }))?.value ?? null
  return {
    find,
    settle: async (name, value) => {
      const stored = await find(name)
      if (stored !== null) return stored
      return (await wasFirst(database, name, value)) ? value : ((await find(name)) ?? value)
    },
    replace: (name, value) => setMeta(database, name, value),
    exchange: async (name, expected, value) => {
      if (expected === null) return wasFirst(database, name, value)
      const { count } = await database.meta.updateMany({ where: { name, value: expected }, data: { value } })
      return count === 1
    },
  }
}

/** Stores a value, unless it is already stored. */
export async function setMeta({ meta }: Tables, name: string, value: string): Promise<void> {
  const stored = await meta.findUnique({ where: { name } })
  if (stored?.value !== value)
    await meta.upsert({ where: { name }, create: { name, value }, update: { value } })
}

/**
 * Requires that `value` is stored; `null`: that no value is stored.
 * @throws ConfigurationOutdated otherwise
 */
export async function requireMeta({ meta }: Tables, name: string, value: string | null): Promise<void> {
  const stored = await meta.findUnique({ where: { name } })
  if ((stored?.value ?? null) !== value) throw new ConfigurationOutdated(name)
}

async function wasFirst(database: ReadOnlyDatabase, name: string, value: string): Promise<boolean> {
  try {
    await database.meta.create({ data: { name, value } })
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

/** The name in `Meta` under which a purge stores its time. */
export const purgedAt = 'purged'

export function createDatabaseStatus(
  database: Database,
  { location }: Pick<StoreContext, 'location'>,
): DatabaseStatus {
  return {
    openedAt: new Date(),
    mostConnections: async () => (location.kind === 'sqlite' ? null : readMostConnections(database)),
    endsLongStatements: async () => location.kind === 'sqlite' || endsLongStatements(database),
    database: () => (location.kind === 'sqlite' ? fileState(location.file) : databaseState(database)),
    purgedAt: async () => {
      const found = await database.meta.findUnique({ where: { name: purgedAt } })
      return found === null ? null : new Date(found.value)
    },
  }
}

async function fileState(file: string): Promise<DatabaseState> {
  const sizes = [file, `${file}-wal`].map(sizeOf)
  const { bavail, bsize } = await statfs(dirname(file))
  return {
    kind: 'sqlite',
    file,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    freeBytes: bavail * bsize,
  }
}

/** Returns the size of a file; 0 if it does not exist, because the write-ahead log does not always exist. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

const mostSchema = z.tuple([z.object({ most: z.coerce.number() })])

/**
 * Returns the maximum number of connections, without the reserved ones. `reserved_connections` exists since PostgreSQL
 * 16.
 */
async function readMostConnections(database: Database): Promise<number> {
  const found = await database.$queryRaw(
    Prisma.sql`SELECT (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - COALESCE(current_setting('reserved_connections', true)::int, 0))::text AS "most"`,
  )
  const [{ most }] = mostSchema.parse(found)
  return most
}

const limitSchema = z.tuple([z.object({ isLimited: z.boolean() })])

/** Reads whether `statement_timeout` is in force on a connection, which a pooler may have opened without it. */
async function endsLongStatements(database: Database): Promise<boolean> {
  const found = await database.$queryRaw(
    Prisma.sql`SELECT setting <> '0' AS "isLimited" FROM pg_settings WHERE name = 'statement_timeout'`,
  )
  const [{ isLimited }] = limitSchema.parse(found)
  return isLimited
}

const sizeSchema = z.tuple([z.object({ bytes: z.coerce.number() })])

async function databaseState(database: Database): Promise<DatabaseState> {
  const found = await database.$queryRaw(
    Prisma.sql`SELECT pg_database_size(current_database())::text AS "bytes"`,
  )
  const [{ bytes }] = sizeSchema.parse(found)
  return { kind: 'postgresql', file: null, bytes, freeBytes: null }
}
