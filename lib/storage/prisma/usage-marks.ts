/** Last uses, written together and at most once a minute each. */
import { usageMarks as limits } from '#lib/config/limits.ts'
import type { UsageMarks } from '#lib/ports/usage-marks.ts'
import type { Client } from '../client.ts'

type Used = ReadonlyMap<string, Date>

export function createUsageMarks(client: Client): UsageMarks {
  const clients = createShelf(used => markClients(client, used))
  const secrets = createShelf(used => markSecrets(client, used))
  return {
    client: clients.mark,
    secret: secrets.mark,
    flush: async () => {
      await clients.flush()
      await secrets.flush()
    },
  }
}

/** NOTE: for a request it is one look into a map, and for most requests nothing more. */
function createShelf(write: (used: Used) => Promise<void>) {
  const marked = new Map<string, number>()
  let waiting = new Map<string, Date>()
  let isScheduled = false

  async function flush(): Promise<void> {
    const used = waiting
    waiting = new Map()
    // A use that is not written now is written with the next one
    if (used.size > 0) await write(used).catch(() => marked.clear())
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => {
      isScheduled = false
      void flush()
    }, limits.writeEveryMs).unref()
  }

  return {
    flush,
    mark: (id: string, now: Date): void => {
      const last = marked.get(id)
      if (last !== undefined && now.getTime() - last < limits.everyMs) return
      if (marked.size >= limits.most) marked.clear()
      marked.set(id, now.getTime())
      waiting.set(id, now)
      schedule()
    },
  }
}

async function markClients(client: Client, used: Used): Promise<void> {
  for (const [clientId, lastUsedAt] of used) {
    await client.client.updateMany({ where: { clientId }, data: { lastUsedAt } })
  }
}

async function markSecrets(client: Client, used: Used): Promise<void> {
  for (const [id, lastUsedAt] of used) {
    const { count } = await client.clientSecret.updateMany({ where: { id }, data: { lastUsedAt } })
    if (count === 0) await client.scopeSecret.updateMany({ where: { id }, data: { lastUsedAt } })
  }
}
