/** Writes rows of many requests together: one commit to disk for all that came close together. */

type Writers<Row> = {
  readonly many: (rows: readonly Row[]) => Promise<unknown>
  /** For a row without company, and for those of a batch that failed: its error is the one the caller sees. */
  readonly one: (row: Row) => Promise<unknown>
}

/**
 * Collects rows until a turn of the event loop brings no more, and writes them `size` at a time. Each caller waits
 * until its own row is stored. When a batch fails its rows are tried one by one, so that one bad row fails only its
 * own caller.
 */
export function groupCommit<Row>(writers: Writers<Row>, size: number) {
  let waiting: Entry<Row>[] = []

  function flush(): void {
    const entries = waiting
    waiting = []
    for (let start = 0; start < entries.length; start += size) {
      void writeBatch(entries.slice(start, start + size), writers)
    }
  }

  /** While each turn brings more rows the commit waits: it costs the same for a hundred as for one. */
  function flushWhenQuiet(before: number): void {
    const isGrowing = waiting.length > before && waiting.length < size
    if (isGrowing) setImmediate(flushWhenQuiet, waiting.length)
    else flush()
  }

  return (row: Row): Promise<void> => {
    if (waiting.length === 0) setImmediate(flushWhenQuiet, 1)
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

async function writeBatch<Row>(entries: readonly Entry<Row>[], { many, one }: Writers<Row>): Promise<void> {
  const isWritten = entries.length > 1 && (await hasSucceeded(many(entries.map(entry => entry.row))))
  for (const { row, resolve, reject } of entries) {
    if (isWritten) resolve()
    else one(row).then(() => resolve(), reject)
  }
}

function hasSucceeded(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
