/** Small facts about the installation. */
import type { Meta } from '#lib/ports/configuration-store.ts'
import type { Client } from '../client.ts'
import { isDuplicate } from '../row-errors.ts'

export function createMeta(client: Client): Meta {
  const find = async (name: string) => (await client.meta.findUnique({ where: { name } }))?.value ?? null
  return {
    find,
    settle: async (name, value) => {
      const standing = await find(name)
      if (standing !== null) return standing
      return (await wasFirst(client, name, value)) ? value : ((await find(name)) ?? value)
    },
    replace: async (name, value) => {
      await client.meta.upsert({ where: { name }, create: { name, value }, update: { value } })
    },
  }
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
