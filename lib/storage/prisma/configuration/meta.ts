/** Small facts about the installation. */
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { Client, Tables } from '../../client.ts'
import { isDuplicate } from '../../row-errors.ts'

export function createMeta(client: Client): Meta {
  const find = async (name: string) => (await client.meta.findUnique({ where: { name } }))?.value ?? null
  return {
    find,
    settle: async (name, value) => {
      const standing = await find(name)
      if (standing !== null) return standing
      return (await wasFirst(client, name, value)) ? value : ((await find(name)) ?? value)
    },
    replace: (name, value) => putFact(client, name, value),
  }
}

/** Writes nothing where it stands already. */
export async function putFact({ meta }: Tables, name: string, value: string): Promise<void> {
  const standing = await meta.findUnique({ where: { name } })
  if (standing?.value !== value)
    await meta.upsert({ where: { name }, create: { name, value }, update: { value } })
}

async function wasFirst(client: Client, name: string, value: string): Promise<boolean> {
  try {
    await client.meta.create({ data: { name, value } })
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}
