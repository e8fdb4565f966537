/** Authorization requests that wait for the user. */
import { liveAtOnce, storage } from '#lib/config/limits.ts'
import type { PendingRequest, PendingRequests } from '#lib/ports/sessions.ts'
import type { Database, Tables } from '../../database.ts'
import { expired, type Store } from '../../store.ts'
import { changesOne, equals, jsonColumns } from '../rows.ts'

type Bounds = { readonly pendingRequests: number; readonly requestsBetweenChecks: number }

export const pendingRequestStore: Store<PendingRequests> = {
  create: database => createPendingRequests(database),
  purge: [expired('requests', 'PendingRequest')],
}

export function createPendingRequests(database: Database, bounds: Bounds = liveAtOnce): PendingRequests {
  let unchecked = 0
  return {
    create: async request => {
      await database.pendingRequest.create({ data: pendingToRow(request) })
      await makeRoom(database, request)
      unchecked += 1
      if (unchecked < bounds.requestsBetweenChecks) return
      unchecked = 0
      await dropOldest(database, bounds.pendingRequests)
    },
    find: async (digest, browser) => {
      const row = await database.pendingRequest.findFirst({
        where: { digest: equals(digest), browser: equals(browser) },
      })
      return row && pendingFromRow(row)
    },
    recordChoice: async (digest, subject) => {
      await database.pendingRequest.updateMany({
        where: unfinished(digest),
        data: { chosenSubject: subject },
      })
    },
    recordConsent: async (digest, answer) => {
      const data = { consent: JSON.stringify(answer) }
      await database.pendingRequest.updateMany({ where: unfinished(digest), data })
    },
    finish: (digest, now) => finishPending(database, digest, now),
  }
}

/** LIM-06: deletes the oldest requests of the browser beyond the limit. */
async function makeRoom(database: Database, { digest, browser, createdAt }: PendingRequest): Promise<void> {
  const surplus = await database.pendingRequest.findMany({
    where: { browser, finishedAt: null, expiresAt: { gt: createdAt }, digest: { not: digest } },
    orderBy: [{ createdAt: 'desc' }, { digest: 'asc' }],
    skip: liveAtOnce.pendingRequestsOfBrowser - 1,
    select: { digest: true },
  })
  if (surplus.length === 0) return
  const where = { digest: { in: surplus.map(request => request.digest) }, finishedAt: null }
  await database.pendingRequest.deleteMany({ where })
}

/** LIM-06: however many addresses begin sign-ins, the newest `most` requests stay. All of them live equally long. */
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

/** True for exactly one caller. */
export async function finishPending(tables: Tables, digest: string, now: Date): Promise<boolean> {
  const where = { ...unfinished(digest), expiresAt: { gt: now } }
  return changesOne(tables.pendingRequest.updateMany({ where, data: { finishedAt: now } }))
}

function unfinished(digest: string) {
  return { digest: equals(digest), finishedAt: null }
}

const { toRow: pendingToRow, fromRow: pendingFromRow } = jsonColumns<PendingRequest, 'consent'>('consent')
