/** Writes the rows of many requests with one commit to disk. Decision 035 has the figures. */

type Writers<Row> = {
  readonly many: (rows: readonly Row[]) => Promise<unknown>
  /** Writes one row of a batch that failed. The caller gets its error. */
  readonly one: (row: Row) => Promise<unknown>
}

type GroupLimits = {
  /** The maximum number of rows in a batch. */
  readonly size: number
  /** The number of batches in progress at which further rows wait, unless they fill a batch. */
  readonly underWay: number
}

/**
 * Collects rows while others are being written, and writes them in batches of at most `size`. Each caller waits until
 * its own row is stored. When a batch fails, its rows are written one by one, so that one bad row fails only its own
 * caller.
 */
export function groupCommit<Row>(writers: Writers<Row>, { size, underWay }: GroupLimits) {
  const waiting: Entry<Row>[] = []
  let isScheduled = false
  let inFlight = 0

  /**
   * Starts batches. NOTE: several batches are in progress, so that some requests are answered while others are written.
   * With one batch all requests would wait for the disk, and then the disk for all requests.
   */
  function flush(): void {
    isScheduled = false
    while (waiting.length >= size || (waiting.length > 0 && inFlight < underWay))
      void write(waiting.splice(0, size))
  }

  async function write(entries: readonly Entry<Row>[]): Promise<void> {
    inFlight += 1
    await writeBatch(entries, writers)
    inFlight -= 1
    schedule()
  }

  /** Waits for the end of the current turn of the event loop, so that rows that arrive in it join the batch. */
  function schedule(): void {
    if (isScheduled || waiting.length === 0) return
    isScheduled = true
    setImmediate(flush)
  }

  return (row: Row): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.push({ row, resolve, reject })
    schedule()
    return promise
  }
}

type Entry<Row> = {
  readonly row: Row
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** Writes a batch. NOTE: never rejects: after a rejection the batch would count as in progress permanently. */
async function writeBatch<Row>(entries: readonly Entry<Row>[], { many, one }: Writers<Row>): Promise<void> {
  const isWritten = await hasSucceeded(async () => many(entries.map(entry => entry.row)))
  await Promise.all(entries.map(entry => (isWritten ? entry.resolve() : writeAlone(entry, one))))
}

async function writeAlone<Row>(
  { row, resolve, reject }: Entry<Row>,
  one: Writers<Row>['one'],
): Promise<void> {
  try {
    await one(row)
    resolve()
  } catch (error) {
    reject(error)
  }
}

function hasSucceeded(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => true,
    () => false,
  )
}
