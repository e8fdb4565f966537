/** Last uses, written together and at most once a minute each. */
import { usageMarks as limits } from '#lib/config/limits.ts'
import type { UsageMarks } from '#lib/ports/clients.ts'
import type { Database } from '../../database.ts'
import { equals } from '../rows.ts'

type Use = { readonly owner: string; readonly id: string; readonly at: Date }

export function createUsageMarks(database: Database): UsageMarks {
  const clients = createShelf(use => markClient(database, use))
  const secrets = createShelf(use => markSecret(database, use))
  const users = createShelf(use => markUser(database, use))
  return {
    client: (clientId, now) => clients.mark({ owner: clientId, id: clientId, at: now }),
    secret: ({ owner, id }, now) => secrets.mark({ owner, id, at: now }),
    user: (subject, now) => users.mark({ owner: subject, id: subject, at: now }),
    flush: async () => {
      await users.flush()
      await clients.flush()
      await secrets.flush()
    },
  }
}

/** NOTE: for a request it is one look into a map, and for most requests nothing more. */
function createShelf(write: (use: Use) => Promise<void>) {
  const marked = new Map<string, number>()
  let waiting: Use[] = []
  let isScheduled = false

  async function flush(): Promise<void> {
    const uses = waiting
    waiting = []
    // A use that is not written now is written with the next one
    await writeAll(uses, write).catch(() => marked.clear())
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
    mark: (use: Use): void => {
      const last = marked.get(use.id)
      if (last !== undefined && use.at.getTime() - last < limits.everyMs) return
      if (marked.size >= limits.most) marked.clear()
      marked.set(use.id, use.at.getTime())
      waiting.push(use)
      schedule()
    },
  }
}

/** NOTE: Prisma on SQLite never leaves the microtask queue; requests come in between. */
async function writeAll(uses: readonly Use[], write: (use: Use) => Promise<void>): Promise<void> {
  for (const use of uses) {
    await write(use)
    await new Promise<void>(resolve => setImmediate(resolve))
  }
}

async function markClient(database: Database, { id: clientId, at: lastUsedAt }: Use): Promise<void> {
  await database.client.updateMany({ where: { clientId: equals(clientId) }, data: { lastUsedAt } })
}

async function markUser(database: Database, { id: subject, at: lastSignInAt }: Use): Promise<void> {
  await database.user.updateMany({ where: { subject: equals(subject) }, data: { lastSignInAt } })
}

/** By the whole key: no other index finds one of many thousand secrets quickly. */
async function markSecret(database: Database, { owner, id, at }: Use): Promise<void> {
  const data = { lastUsedAt: at }
  const [name, secret] = [equals(owner), equals(id)]
  const { count } = await database.clientSecret.updateMany({ where: { clientId: name, id: secret }, data })
  if (count === 0) await database.scopeSecret.updateMany({ where: { scopeName: name, id: secret }, data })
}
