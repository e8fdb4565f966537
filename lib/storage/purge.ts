/** Deletes what has expired and erases what need not be kept, a bounded number of rows at a time. */
import { retentionSeconds, storage } from '#lib/config/limits.ts'
import { eventIdMark } from '#lib/protocol/event-id.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import type { Client } from './client.ts'
import { erasedAnswer } from './prisma/refresh-tokens.ts'

type Expired = { readonly expiresAt: { readonly lte: Date } }
type Batch = { where: Expired; limit: number }
type Sweep = (client: Client, batch: Batch) => Promise<{ count: number }>

/** What hangs on a grant goes before it, so that removing a grant stays small. */
const sweeps: readonly Sweep[] = [
  (client, batch) => client.authorizationCode.deleteMany(batch),
  (client, batch) => client.refreshToken.deleteMany(batch),
  (client, batch) => client.referenceToken.deleteMany(batch),
  (client, batch) => client.grant.deleteMany(batch),
  (client, batch) => client.revokedToken.deleteMany(batch),
  (client, batch) => client.consent.deleteMany(batch),
  (client, batch) => client.session.deleteMany(batch),
  (client, batch) => client.pendingRequest.deleteMany(batch),
  (client, batch) => client.externalSignIn.deleteMany(batch),
  (client, batch) => client.partialSignIn.deleteMany(batch),
  (client, batch) => client.throttleCounter.deleteMany(batch),
  (client, batch) => client.signingKey.deleteMany(batch),
  (client, batch) => client.adminSession.deleteMany(batch),
  (client, batch) => client.adminInvitation.deleteMany(batch),
  (client, batch) => client.adminFlash.deleteMany(batch),
]

/** RT-01: what could still be handed out again, once the grace is over. */
const eraseAnswers: Sweep = (client, { where, limit }) =>
  client.refreshToken.updateMany({ where: { answerExpiresAt: where.expiresAt }, data: erasedAnswer, limit })

/** LG-07: what is kept for a time, whether it was needed or not. */
const retentions: readonly Sweep[] = [
  (client, { where, limit }) => {
    const oldest = secondsAfter(where.expiresAt.lte, -retentionSeconds.events)
    return client.event.deleteMany({ where: { id: { lt: eventIdMark(oldest) } }, limit })
  },
  (client, { where, limit }) => {
    const oldest = secondsAfter(where.expiresAt.lte, -retentionSeconds.hourlyCounts)
    return client.hourlyCount.deleteMany({ where: { hour: { lt: oldest } }, limit })
  },
]

/** Returns how many rows went. Other requests run between the batches. */
export async function purge(client: Client, now: Date): Promise<number> {
  let removed = 0
  for (const sweep of [...sweeps, ...retentions]) removed += await sweepAll(client, sweep, now)
  await sweepAll(client, eraseAnswers, now)
  return removed
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
