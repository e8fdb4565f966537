import { setImmediate } from 'node:timers/promises'

/** The maximum number of items in a group. The callers look them up at the same time. */
const together = 100

/**
 * Groups items; each group is read after the previous one was processed. NOTE: without the wait between groups, a
 * server could not answer requests during an import, because reading SQLite does not end the turn of the event loop.
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
