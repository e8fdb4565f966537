/** As many look-ups as are in progress at the same time. */
const together = 100

/** The items in groups; each group is read when the one before it was used. */
export function* inBatches<T>(items: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = []
  for (const item of items) {
    batch.push(item)
    if (batch.length < together) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
