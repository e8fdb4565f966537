/** Deletes what has expired and erases what need not be kept, a bounded number of rows at a time. */
import { storage } from '#lib/config/limits.ts'
import { purgedMetric } from '#lib/ports/aggregates.ts'
import { hourOf } from '#lib/protocol/time.ts'
import type { Database } from './database.ts'
import { purgedAt, setMeta } from './prisma/configuration/meta.ts'
import { aggregateInsertions } from './prisma/events/aggregates.ts'
import type { PurgeRule, Sweep } from './store.ts'

/** Returns how many rows were deleted, and stores the counts and the time. Other requests run between the batches. */
export async function purge(database: Database, rules: readonly PurgeRule[], now: Date): Promise<number> {
  const removed: { readonly label: string; readonly count: number }[] = []
  for (const [label, sweep] of rules) {
    const count = await sweepAll(database, sweep, now)
    if (label !== null && count > 0) removed.push({ label, count })
  }
  const counts = removed.map(each => ({ ...each, hour: hourOf(now), metric: purgedMetric }))
  await database.$insertTogether(aggregateInsertions(database.dialect)({ counts }))
  await setMeta(database, purgedAt, now.toISOString())
  return removed.reduce((sum, { count }) => sum + count, 0)
}

async function sweepAll(database: Database, sweep: Sweep, now: Date): Promise<number> {
  let removed = 0
  for (;;) {
    const { count } = await sweep(
      database,
      { where: { expiresAt: { lte: now } }, limit: storage.purgeBatch },
      now,
    )
    removed += count
    if (count < storage.purgeBatch) return removed
    // NOTE: Prisma on SQLite never leaves the microtask queue; without this timers and sockets would starve.
    await new Promise<void>(resolve => setImmediate(resolve))
  }
}
