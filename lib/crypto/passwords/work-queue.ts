/** Runs expensive work a few at a time and refuses what would wait too long. */

export type WorkQueue = { readonly run: <T>(work: () => Promise<T>) => Promise<T> }

/** At most `inFlight` concurrent and `waiting` queued calls; `refuse` creates the error for the next one. */
export function createWorkQueue(limits: {
  inFlight: number
  waiting: number
  refuse: () => Error
}): WorkQueue {
  const waiting: Array<() => void> = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < limits.inFlight) {
      running += 1
      return
    }
    if (waiting.length >= limits.waiting) throw limits.refuse()
    await new Promise<void>(resolve => waiting.push(resolve))
  }

  // The place goes directly to the next in line, so that no newcomer can take it.
  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
