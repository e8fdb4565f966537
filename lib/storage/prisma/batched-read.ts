/** One query for all keys that many requests ask for in the same turn of the event loop. */

/** The stored values by key. Keys without a value are left out. */
type ReadAll<Value> = (keys: string[]) => Promise<ReadonlyMap<string, Value>>

/**
 * Resolves to the value stored under a key, or `null`. The query starts after the call, so it sees everything written
 * before; it has at most `size` keys. When it fails, every caller that asked for one of its keys gets the error.
 */
export function batchedRead<Value>(readAll: ReadAll<Value>, size: number) {
  let waiting = new Map<string, PromiseWithResolvers<Value | null>>()

  function flush(): void {
    const asked = [...waiting]
    waiting = new Map()
    for (let start = 0; start < asked.length; start += size) {
      void answer(asked.slice(start, start + size), readAll)
    }
  }

  return async (key: string): Promise<Value | null> => {
    // FW-03: a value of another type would break the query of all callers
    if (typeof key !== 'string') throw new TypeError('A look-up needs a string.')
    if (waiting.size === 0) setImmediate(flush)
    const question = waiting.get(key) ?? Promise.withResolvers<Value | null>()
    waiting.set(key, question)
    return question.promise
  }
}

async function answer<Value>(
  asked: ReadonlyArray<readonly [key: string, question: PromiseWithResolvers<Value | null>]>,
  readAll: ReadAll<Value>,
): Promise<void> {
  try {
    const found = await readAll(asked.map(([key]) => key))
    for (const [key, question] of asked) question.resolve(found.get(key) ?? null)
  } catch (error) {
    for (const [, question] of asked) question.reject(error)
  }
}
