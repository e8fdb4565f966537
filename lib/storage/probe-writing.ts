/** Whether the database takes writes: one that is locked, full, or only to be read still answers every question. */
import type { Database } from './database.ts'

const name = 'written'

/** Writes one small row of its own, which nobody else waits for. Throws what the database says. */
export async function probeWriting(database: Database): Promise<void> {
  const value = 'yes'
  await database.meta.upsert({ where: { name }, create: { name, value }, update: { value } })
}
