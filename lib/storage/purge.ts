/** Deletes what has expired and erases what need not be kept, a bounded number of rows at a time. */
import { retentionSeconds, storage } from '#lib/config/limits.ts'
import { purgedMetric } from '#lib/ports/aggregates.ts'
import { eventIdMark } from '#lib/protocol/request-context.ts'
import { dayNumber, hourOf, secondsAfter } from '#lib/protocol/time.ts'
import type { Database } from './database.ts'
import { purgedAt } from './prisma/configuration/meta.ts'
import { aggregateInsertions } from './prisma/events/aggregates.ts'
import { deleteExpiredUnredeemed } from './prisma/grants/authorization-codes.ts'
import { erasedAnswer } from './prisma/grants/tokens.ts'

type Expired = { readonly expiresAt: { readonly lte: Date } }
type Batch = { where: Expired; limit: number }
type Sweep = (database: Database, batch: Batch) => Promise<{ count: number }>

type NamedSweep = readonly [kind: string, sweep: Sweep]

/** Codes and tokens are deleted before their grants, so that deleting a grant stays small. */
const sweeps: readonly NamedSweep[] = [
  ['codes', deleteExpiredUnredeemed],
  ['codes', (database, batch) => database.authorizationCode.deleteMany(batch)],
  ['refresh_tokens', (database, batch) => database.refreshToken.deleteMany(batch)],
  ['reference_tokens', (database, batch) => database.referenceToken.deleteMany(batch)],
  ['grants', (database, batch) => database.grant.deleteMany(batch)],
  ['revoked_tokens', (database, batch) => database.revokedToken.deleteMany(batch)],
  ['consents', (database, batch) => database.consent.deleteMany(batch)],
  ['sessions', (database, batch) => database.session.deleteMany(batch)],
  ['requests', (database, batch) => database.pendingRequest.deleteMany(batch)],
  ['sign_ins', (database, batch) => database.externalSignIn.deleteMany(batch)],
  ['sign_ins', (database, batch) => database.partialSignIn.deleteMany(batch)],
  ['attempts', (database, batch) => database.rateLimitCounter.deleteMany(batch)],
  ['keys', (database, batch) => database.signingKey.deleteMany(batch)],
  ['admin_sessions', (database, batch) => database.adminSession.deleteMany(batch)],
  ['invitations', (database, batch) => database.adminInvitation.deleteMany(batch)],
  ['forms', (database, batch) => database.adminFlash.deleteMany(batch)],
]

/** RT-01: stored refresh responses after the retry window. */
const eraseAnswers: Sweep = (database, { where, limit }) =>
  database.refreshToken.updateMany({ where: { answerExpiresAt: where.expiresAt }, data: erasedAnswer, limit })

const oldest = ({ expiresAt }: Expired, seconds: number) => secondsAfter(expiresAt.lte, -seconds)
const oldestDay = (where: Expired) => ({ lt: dayNumber(oldest(where, retentionSeconds.dailyCounts)) })

/** LG-07: rows with a retention time. */
const retentions: readonly NamedSweep[] = [
  [
    'events',
    (database, { where, limit }) => {
      const id = { lt: eventIdMark(oldest(where, retentionSeconds.events)) }
      return database.event.deleteMany({ where: { id }, limit })
    },
  ],
  [
    'counts',
    (database, { where, limit }) => {
      const hour = { lt: oldest(where, retentionSeconds.hourlyCounts) }
      return database.hourlyCount.deleteMany({ where: { hour }, limit })
    },
  ],
  [
    'counts',
    (database, { where, limit }) =>
      database.dailyCount.deleteMany({ where: { day: oldestDay(where) }, limit }),
  ],
  [
    'counts',
    (database, { where, limit }) =>
      database.clientDay.deleteMany({ where: { day: oldestDay(where) }, limit }),
  ],
  [
    'counts',
    (database, { where, limit }) => database.visitor.deleteMany({ where: { day: oldestDay(where) }, limit }),
  ],
]

/** Returns how many rows were deleted, and stores the counts and the time. Other requests run between the batches. */
export async function purge(database: Database, now: Date): Promise<number> {
  const removed: (readonly [kind: string, count: number])[] = []
  for (const [kind, sweep] of [...sweeps, ...retentions])
    removed.push([kind, await sweepAll(database, sweep, now)])
  await sweepAll(database, eraseAnswers, now)
  await storeResult(database, removed, now)
  return removed.reduce((sum, [, count]) => sum + count, 0)
}

async function storeResult(
  database: Database,
  removed: readonly (readonly [kind: string, count: number])[],
  now: Date,
): Promise<void> {
  const counts = removed
    .filter(([, count]) => count > 0)
    .map(([label, count]) => ({ hour: hourOf(now), metric: purgedMetric, label, count }))
  await database.$insertTogether(aggregateInsertions(database.dialect)({ counts }))
  const value = now.toISOString()
  await database.meta.upsert({
    where: { name: purgedAt },
    create: { name: purgedAt, value },
    update: { value },
  })
}

async function sweepAll(database: Database, sweep: Sweep, now: Date): Promise<number> {
  let removed = 0
  for (;;) {
    const { count } = await sweep(database, { where: { expiresAt: { lte: now } }, limit: storage.purgeBatch })
    removed += count
    if (count < storage.purgeBatch) return removed
    // NOTE: Prisma on SQLite never leaves the microtask queue; without this timers and sockets would starve.
    await new Promise<void>(resolve => setImmediate(resolve))
  }
}
