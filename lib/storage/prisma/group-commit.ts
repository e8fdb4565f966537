/** Writes rows of many requests together: one commit to disk for all that came in the same turn. */

/**
 * Collects rows until the event loop's next turn and writes them `size` at a time. Each caller waits until its own
 * row is stored. When a batch fails its rows are tried one by one, so that one bad row fails only its own caller.
 */
export function groupCommit<Row>(write: (rows: Row[]) => Promise<unknown>, size: number) {
  let waiting: Entry<Row>[] = []

  function flush(): void {
    const entries = waiting
    waiting = []
    for (let start = 0; start < entries.length; start += size) {
      void writeBatch(entries.slice(start, start + size), write)
    }
  }

  return (row: Row): Promise<void> => {
    if (waiting.length === 0) setImmediate(flush)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.push({ row, resolve, reject })
    return promise
  }
}

type Entry<Row> = {
  readonly row: Row
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

async function writeBatch<Row>(
  entries: readonly Entry<Row>[],
  write: (rows: Row[]) => Promise<unknown>,
): Promise<void> {
  try {
    await write(entries.map(entry => entry.row))
    for (const entry of entries) entry.resolve()
  } catch (error) {
    const [only, ...more] = entries
    if (only !== undefined && more.length === 0) return only.reject(error)
    await Promise.all(entries.map(entry => writeBatch([entry], write)))
  }
}
