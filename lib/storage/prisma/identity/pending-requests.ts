/** Authorization requests that wait for the user. */
import { z } from 'zod'
import { liveAtOnce, storage } from '#lib/config/limits.ts'
import { shareOf } from '#lib/config/node-share.ts'
import type { PendingRequest, PendingRequests } from '#lib/ports/sessions.ts'
import { type PendingRequest as PendingRow, Prisma } from '#prisma/generated/sqlite/client.ts'
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
      await dropSurplus(database, bounds.pendingRequests)
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

/**
 * LIM-06: deletes pending requests beyond `most`. The networks with the most requests lose their oldest, so that a
 * flood from one network removes only its own requests; if no network has many, the oldest of all are deleted. All have
 * the same lifetime, so the oldest expire first.
 */
async function dropSurplus(database: Database, most: number): Promise<void> {
  let surplus = (await database.pendingRequest.count()) - most
  for (const [network, count] of surplus > 0 ? await surplusOfNetworks(database, surplus) : [])
    surplus -= await dropOldest(database, { network }, count)
  if (surplus > 0) await dropOldest(database, {}, surplus)
}

/**
 * Returns how many requests each of the largest networks must lose, until together they have lost `surplus` or have few
 * left.
 */
async function surplusOfNetworks(
  database: Database,
  surplus: number,
): Promise<ReadonlyArray<readonly [network: string | null, count: number]>> {
  const groups = networksSchema.parse(await database.$queryRaw(networksWithMost))
  const counts = groups.map(({ network, requests }) => [network, requests] as const)
  const above = (level: number) => counts.reduce((sum, [, count]) => sum + Math.max(0, count - level), 0)
  // A binary search for the highest number of requests that each network may keep
  let level: number = liveAtOnce.pendingRequestsOfBrowser
  let tooMany = (counts[0]?.[1] ?? 0) + 1
  while (tooMany - level > 1) {
    const middle = Math.floor((level + tooMany) / 2)
    if (above(middle) >= surplus) level = middle
    else tooMany = middle
  }
  return counts.filter(([, count]) => count > level).map(([network, count]) => [network, count - level])
}

const networksSchema = z.array(z.object({ network: z.string().nullable(), requests: z.coerce.number() }))
const networksWithMost = Prisma.sql`SELECT "network", COUNT(*) AS "requests" FROM "PendingRequest"
  GROUP BY "network" ORDER BY COUNT(*) DESC LIMIT ${liveAtOnce.networksCompared}`

/**
 * Deletes the `count` oldest requests of a network, or of all; none if there are fewer. Returns the number of deleted
 * rows.
 */
async function dropOldest(
  database: Database,
  from: { readonly network?: string | null },
  count: number,
): Promise<number> {
  const [newestToDrop] = await database.pendingRequest.findMany({
    where: from,
    orderBy: { expiresAt: 'asc' },
    skip: count - 1,
    take: 1,
    select: { expiresAt: true },
  })
  if (newestToDrop === undefined) return 0
  const where = { ...from, expiresAt: { lte: newestToDrop.expiresAt } }
  for (let dropped = 0; ; ) {
    const limit = Math.min(storage.deletedTogether, count - dropped)
    const deleted = limit === 0 ? 0 : (await database.pendingRequest.deleteMany({ where, limit })).count
    dropped += deleted
    if (deleted < limit || limit === 0) return dropped
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

  /** LIM-06: deletes the oldest unfinished requests of a browser beyond the limit. $1 browser, $2 now */
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

/** Marks a pending request as finished. Succeeds for exactly one caller. $1 digest, $2 now */
export const finishPending = statement(
  `UPDATE "PendingRequest" SET "finishedAt" = $2
   WHERE "digest" = $1 AND "finishedAt" IS NULL AND "expiresAt" > $2 RETURNING 1`,
)
