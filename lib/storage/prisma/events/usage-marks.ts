/** Last uses of clients, secrets, users and sessions, written in batches; frequent uses of an object are left out. */
import { usageMarks as limits } from '#lib/config/limits.ts'
import type { UsageMarks } from '#lib/ports/clients.ts'
import type { Database } from '../../database.ts'
import { type Bound, statement } from '../../sql/statement.ts'
import { batchesOf } from '../rows.ts'

type Use = { readonly owner: string; readonly id: string; readonly at: Date }

export function createUsageMarks(database: Database): UsageMarks {
  const lastUses = (write: (use: Use) => readonly Bound[]) => createLastUses(database, write)
  const clients = lastUses(({ id, at }) => [[statements.markClient, [id, at]]])
  const users = lastUses(({ id, at }) => [[statements.markUser, [id, at]]])
  const sessions = lastUses(({ id, at }) => [[statements.markSession, [id, at]]])
  const secrets = lastUses(({ owner, id, at }) => [
    [statements.markClientSecret, [owner, id, at]],
    [statements.markScopeSecret, [owner, id, at]],
  ])
  return {
    client: (clientId, now) => clients.mark({ owner: clientId, id: clientId, at: now }),
    secret: ({ owner, id }, now) => secrets.mark({ owner, id, at: now }),
    user: (subject, now) => users.mark({ owner: subject, id: subject, at: now }),
    session: (digest, now) => sessions.mark({ owner: digest, id: digest, at: now }),
    flush: async () => {
      for (const { flush } of [users, sessions, clients, secrets]) await flush()
    },
  }
}

/** Collects last uses. NOTE: most requests only look up one entry of a map. */
function createLastUses(database: Database, write: (use: Use) => readonly Bound[]) {
  const marked = new Map<string, number>()
  let waiting: Use[] = []
  let isScheduled = false
  let writing: Promise<void> = Promise.resolve()

  async function writeWaiting(): Promise<void> {
    const uses = waiting
    waiting = []
    // Errors are ignored: the next use of the same object is written instead
    await writeAll(database, uses.map(write)).catch(() => marked.clear())
  }

  /** Writes the waiting uses. Resolves after earlier writes have ended as well. */
  function flush(): Promise<void> {
    writing = writing.then(writeWaiting)
    return writing
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

/**
 * Writes the uses in few messages, but each as a separate change: on PostgreSQL, transactions that lock the same rows
 * in different orders could deadlock.
 */
async function writeAll(database: Database, uses: readonly (readonly Bound[])[]): Promise<void> {
  for (const batch of batchesOf(uses)) await Promise.all(batch.map(writes => database.$change({ writes })))
}

const statements = {
  /** $1 client ID, $2 time */
  markClient: statement(`UPDATE "Client" SET "lastUsedAt" = $2 WHERE "clientId" = $1`),

  markUser: statement(`UPDATE "User" SET "lastSignInAt" = $2 WHERE "subject" = $1`),
  markSession: statement(`UPDATE "Session" SET "lastSeenAt" = $2 WHERE "digest" = $1 AND "lastSeenAt" < $2`),

  /**
   * Finds the row by the whole key: no other index finds one of many thousand secrets fast. $1 client ID, $2 secret, $3
   * time
   */
  markClientSecret: statement(
    `UPDATE "ClientSecret" SET "lastUsedAt" = $3 WHERE "clientId" = $1 AND "id" = $2`,
    2,
  ),

  /** Finds the row by the whole key, unless a client has that secret. $1 scope, $2 secret, $3 time */
  markScopeSecret: statement(
    `UPDATE "ScopeSecret" SET "lastUsedAt" = $3 WHERE "scopeName" = $1 AND "id" = $2
       AND NOT EXISTS (SELECT 1 FROM "ClientSecret" WHERE "clientId" = $1 AND "id" = $2)`,
    2,
  ),
}
