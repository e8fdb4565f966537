/** Authorization requests that wait for the user. */
import { liveAtOnce, storage } from '#lib/config/limits.ts'
import { shareOf } from '#lib/config/node-share.ts'
import type { PendingRequest, PendingRequests } from '#lib/ports/sessions.ts'
import type { PendingRequest as PendingRow } from '#prisma/generated/sqlite/client.ts'
import type { Database } from '../../database.ts'
import { type Bound, statement } from '../../sql/statement.ts'
import { table } from '../../sql/table.ts'
import { expired, type Store } from '../../store.ts'
import { jsonColumns } from '../rows.ts'

type Bounds = { readonly pendingRequests: number; readonly requestsBetweenChecks: number }

export const pendingRequestStore: Store<PendingRequests> = {
  create: (database, { share }) =>
    createPendingRequests(database, {
      ...liveAtOnce,
      requestsBetweenChecks: shareOf(liveAtOnce.requestsBetweenChecks, share),
    }),
  purge: [expired('requests', 'PendingRequest')],
}

export function createPendingRequests(database: Database, bounds: Bounds = liveAtOnce): PendingRequests {
  let unchecked = 0
  return {
    create: async request => {
      await database.$change({
        writes: [
          [statements.insertPending, pendingTable.values(pendingToRow(request))],
          [statements.dropSurplusPending, [request.browser, request.createdAt]],
        ],
      })
      unchecked += 1
      if (unchecked < bounds.requestsBetweenChecks) return
      unchecked = 0
      await dropOldest(database, bounds.pendingRequests)
    },
    find: async (digest, browser) => {
      const cells = await database.$first(statements.pendingOfBrowser, [digest, browser])
      const row = cells && pendingTable.read(cells)
      return row && pendingFromRow(row)
    },
    recordChoice: async (digest, subject) => {
      await database.$change({ writes: [[statements.recordChoice, [digest, subject]]] })
    },
    recordConsent: async (digest, answer) => {
      await database.$change({ writes: [[statements.recordConsent, [digest, JSON.stringify(answer)]]] })
    },
    finish: async (digest, now) => {
      const pending: Bound = [finishPending, [digest, now]]
      return (await database.$change({ conditions: { pending }, writes: [] })) === null
    },
  }
}

/** LIM-06: of the requests of all addresses the newest `most` stay. All have the same lifetime, so the oldest expire first. */
async function dropOldest(database: Database, most: number): Promise<void> {
  const [newestToDrop] = await database.pendingRequest.findMany({
    orderBy: { expiresAt: 'desc' },
    skip: most,
    take: 1,
    select: { expiresAt: true },
  })
  if (newestToDrop === undefined) return
  const where = { expiresAt: { lte: newestToDrop.expiresAt } }
  for (;;) {
    const { count } = await database.pendingRequest.deleteMany({ where, limit: storage.deletedTogether })
    if (count < storage.deletedTogether) return
  }
}

const { toRow: pendingToRow, fromRow: pendingFromRow } = jsonColumns<PendingRequest, 'consent'>('consent')

const pendingTable = table<PendingRow>('PendingRequest', {
  createdAt: 'time',
  expiresAt: 'time',
  finishedAt: 'time',
})

const statements = {
  insertPending: statement(pendingTable.insert),

  /** LIM-06: deletes the oldest unanswered requests of a browser beyond the limit. $1 browser, $2 now */
  dropSurplusPending: statement(
    `DELETE FROM "PendingRequest" WHERE "digest" IN (
       SELECT "digest" FROM "PendingRequest"
       WHERE "browser" = $1 AND "finishedAt" IS NULL AND "expiresAt" > $2
       ORDER BY "createdAt" DESC, "digest" LIMIT 100 OFFSET ${liveAtOnce.pendingRequestsOfBrowser}
     )`,
  ),

  /** $1 digest, $2 browser */
  pendingOfBrowser: statement(
    `SELECT ${pendingTable.of('p')} FROM "PendingRequest" p WHERE p."digest" = $1 AND p."browser" = $2`,
  ),

  /** $1 digest, $2 subject */
  recordChoice: statement(
    `UPDATE "PendingRequest" SET "chosenSubject" = $2 WHERE "digest" = $1 AND "finishedAt" IS NULL`,
  ),

  /** $1 digest, $2 answer */
  recordConsent: statement(
    `UPDATE "PendingRequest" SET "consent" = $2 WHERE "digest" = $1 AND "finishedAt" IS NULL`,
  ),
}

/** Succeeds for exactly one caller. $1 digest, $2 now */
export const finishPending = statement(
  `UPDATE "PendingRequest" SET "finishedAt" = $2
   WHERE "digest" = $1 AND "finishedAt" IS NULL AND "expiresAt" > $2 RETURNING 1`,
)
