/** Named values about the installation. */
import { ConfigurationOutdated, type Meta } from '#lib/ports/configuration-store.ts'
import type { Database, Tables } from '../../database.ts'
import { isDuplicate } from '../../row-errors.ts'

export function createMeta(database: Database): Meta {
  const find = async (name: string) => (await database.meta.findUnique({ where: { name } }))?.value ?? null
  return {
    find,
    settle: async (name, value) => {
      const stored = await find(name)
      if (stored !== null) return stored
      return (await wasFirst(database, name, value)) ? value : ((await find(name)) ?? value)
    },
    replace: (name, value) => setMeta(database, name, value),
  }
}

/** Writes nothing when the value is already stored. */
export async function setMeta({ meta }: Tables, name: string, value: string): Promise<void> {
  const stored = await meta.findUnique({ where: { name } })
  if (stored?.value !== value)
    await meta.upsert({ where: { name }, create: { name, value }, update: { value } })
}

/** @throws ConfigurationOutdated when another value is stored */
export async function requireMeta({ meta }: Tables, name: string, value: string | null): Promise<void> {
  const stored = await meta.findUnique({ where: { name } })
  if ((stored?.value ?? null) !== value) throw new ConfigurationOutdated(name)
}

async function wasFirst(database: Database, name: string, value: string): Promise<boolean> {
  try {
    await database.meta.create({ data: { name, value } })
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}
