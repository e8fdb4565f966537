/** Deletes what has expired and erases what need not be kept, a bounded number of rows at a time. */
import { retentionSeconds, storage } from '#lib/config/limits.ts'
import { purgedMetric } from '#lib/ports/roll-ups.ts'
import { eventIdMark } from '#lib/protocol/event-id.ts'
import { dayNumber, hourOf, secondsAfter } from '#lib/protocol/time.ts'
import type { Client } from './client.ts'
import { purgedAt } from './prisma/configuration/house.ts'
import { sumInsertions } from './prisma/events/roll-up-writes.ts'
import { erasedAnswer } from './prisma/grants/refresh-tokens.ts'

type Expired = { readonly expiresAt: { readonly lte: Date } }
type Batch = { where: Expired; limit: number }
type Sweep = (client: Client, batch: Batch) => Promise<{ count: number }>

type NamedSweep = readonly [kind: string, sweep: Sweep]

/** What hangs on a grant goes before it, so that removing a grant stays small. */
const sweeps: readonly NamedSweep[] = [
  ['codes', (client, batch) => client.authorizationCode.deleteMany(batch)],
  ['refresh_tokens', (client, batch) => client.refreshToken.deleteMany(batch)],
  ['reference_tokens', (client, batch) => client.referenceToken.deleteMany(batch)],
  ['grants', (client, batch) => client.grant.deleteMany(batch)],
  ['revoked_tokens', (client, batch) => client.revokedToken.deleteMany(batch)],
  ['consents', (client, batch) => client.consent.deleteMany(batch)],
  ['sessions', (client, batch) => client.session.deleteMany(batch)],
  ['requests', (client, batch) => client.pendingRequest.deleteMany(batch)],
  ['sign_ins', (client, batch) => client.externalSignIn.deleteMany(batch)],
  ['sign_ins', (client, batch) => client.partialSignIn.deleteMany(batch)],
  ['tries', (client, batch) => client.throttleCounter.deleteMany(batch)],
  ['keys', (client, batch) => client.signingKey.deleteMany(batch)],
  ['admin_visits', (client, batch) => client.adminSession.deleteMany(batch)],
  ['invitations', (client, batch) => client.adminInvitation.deleteMany(batch)],
  ['forms', (client, batch) => client.adminFlash.deleteMany(batch)],
]

/** RT-01: what could still be handed out again, once the grace is over. */
const eraseAnswers: Sweep = (client, { where, limit }) =>
  client.refreshToken.updateMany({ where: { answerExpiresAt: where.expiresAt }, data: erasedAnswer, limit })

const oldest = ({ expiresAt }: Expired, seconds: number) => secondsAfter(expiresAt.lte, -seconds)
const oldestDay = (where: Expired) => ({ lt: dayNumber(oldest(where, retentionSeconds.dailyCounts)) })

/** LG-07: what is kept for a time, whether it was needed or not. */
const retentions: readonly NamedSweep[] = [
  [
    'events',
    (client, { where, limit }) => {
      const id = { lt: eventIdMark(oldest(where, retentionSeconds.events)) }
      return client.event.deleteMany({ where: { id }, limit })
    },
  ],
  [
    'counts',
    (client, { where, limit }) => {
      const hour = { lt: oldest(where, retentionSeconds.hourlyCounts) }
      return client.hourlyCount.deleteMany({ where: { hour }, limit })
    },
  ],
  [
    'counts',
    (client, { where, limit }) => client.dailyCount.deleteMany({ where: { day: oldestDay(where) }, limit }),
  ],
  [
    'counts',
    (client, { where, limit }) => client.clientDay.deleteMany({ where: { day: oldestDay(where) }, limit }),
  ],
  [
    'counts',
    (client, { where, limit }) => client.visitor.deleteMany({ where: { day: oldestDay(where) }, limit }),
  ],
]

/** Returns how many rows went, and leaves word of it. Other requests run between the batches. */
export async function purge(client: Client, now: Date): Promise<number> {
  const removed: (readonly [kind: string, count: number])[] = []
  for (const [kind, sweep] of [...sweeps, ...retentions])
    removed.push([kind, await sweepAll(client, sweep, now)])
  await sweepAll(client, eraseAnswers, now)
  await leaveWord(client, removed, now)
  return removed.reduce((sum, [, count]) => sum + count, 0)
}

async function leaveWord(
  client: Client,
  removed: readonly (readonly [kind: string, count: number])[],
  now: Date,
): Promise<void> {
  const counts = removed
    .filter(([, count]) => count > 0)
    .map(([label, count]) => ({ hour: hourOf(now), metric: purgedMetric, label, count }))
  await client.$insertTogether(sumInsertions(client.dialect)({ counts }))
  const value = now.toISOString()
  await client.meta.upsert({
    where: { name: purgedAt },
    create: { name: purgedAt, value },
    update: { value },
  })
}

async function sweepAll(client: Client, sweep: Sweep, now: Date): Promise<number> {
  let removed = 0
  for (;;) {
    const { count } = await sweep(client, { where: { expiresAt: { lte: now } }, limit: storage.purgeBatch })
    removed += count
    if (count < storage.purgeBatch) return removed
    // NOTE: Prisma on SQLite never leaves the microtask queue; without this timers and sockets would starve.
    await new Promise<void>(resolve => setImmediate(resolve))
  }
}
