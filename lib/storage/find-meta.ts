/** One fact about the installation, for whoever needs it before the database is opened for good. */
import { existsSync } from 'node:fs'
import { openReader } from './client.ts'
import type { DatabaseLocation } from './location.ts'
import { createMeta } from './prisma/meta.ts'

/** `null` also where there is no SQLite file; makes none, and takes no lease. */
export async function findMeta(location: DatabaseLocation, name: string): Promise<string | null> {
  if (location.kind === 'sqlite' && !existsSync(location.file)) return null
  const client = openReader(location)
  try {
    return await createMeta(client).find(name)
  } finally {
    await client.$disconnect()
  }
}
