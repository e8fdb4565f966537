/** Tests whether the database accepts writes: one that is locked, full or read-only still answers every query. */
import type { Database } from './database.ts'

const name = 'written'

/** Writes one small row that no other code locks. Throws the database's error. */
export async function probeWriting(database: Database): Promise<void> {
  const value = 'yes'
  await database.meta.upsert({ where: { name }, create: { name, value }, update: { value } })
}
