import { setImmediate } from 'node:timers/promises'

/** As many look-ups as are in progress at the same time. */
const together = 100

/**
 * The items in groups; each group is read when the one before it was used. NOTE: requests are answered between groups, because
 * reading SQLite does not end the turn of the event loop.
 */
export async function* inBatches<T>(items: Iterable<T>): AsyncGenerator<readonly T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < together) continue
    yield batch
    batch = []
    await setImmediate()
  }
  if (batch.length > 0) yield batch
}
