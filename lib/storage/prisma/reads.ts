/** Reads that are cached until the data may have changed, and reads that requests share. */

/** The revision of the data; a different one means that everything may have changed. A promise, unless it is known. */
export type CurrentRevision = () => number | Promise<number>

type Source<Value> = {
  readonly load: (key: string) => Promise<Value | null>
  /** How many values are kept: the most recently used. Separately, the same number of keys without a value. */
  readonly size: number
  /** Asked at every read. Left out by a process that is the only writer and calls `forget`. */
  readonly revision?: CurrentRevision
}

type CachedRead<Value> = {
  readonly read: (key: string) => Promise<Value | null>
  /** Called when a write has ended, successful or not: later reads load again. */
  readonly forget: () => void
}

/** Keys without a value are kept separately: made-up keys must not push out real ones. A failed load is not kept. */
export function cachedRead<Value>({ load, size, revision }: Source<Value>): CachedRead<Value> {
  const kept = new Map<string, Value>()
  const absent = new Map<string, null>()
  let keptRevision: number | null = null
  let changes = 0

  function forget(): void {
    changes += 1
    kept.clear()
    absent.clear()
  }

  return {
    forget,
    read: async key => {
      const asked = revision === undefined ? keptRevision : revision()
      // NOTE: a request reads several cached values, and waiting for what is known costs more than the rest of a read
      const current = asked instanceof Promise ? await asked : asked
      if (current !== keptRevision) forget()
      keptRevision = current
      const known = kept.get(key)
      // NOTE: the order of use counts only when the cache is full; moving an entry at each read costs more than reading it
      if (known !== undefined && (kept.size < size || size === 1)) return known
      if (absent.has(key)) return null
      const began = changes
      const value = known ?? (await load(key))
      // NOTE: a result that was loaded while something changed may be the old one
      if (began !== changes) return value
      if (value === null) keep(absent, size, [key, null])
      else keep(kept, size, [key, value])
      return value
    },
  }
}

/** Adds the newest entry, and removes the oldest if there are too many. */
function keep<Value>(map: Map<string, Value>, size: number, [key, value]: readonly [string, Value]): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= size) return
  const oldest = map.keys().next()
  if (!oldest.done) map.delete(oldest.value)
}

/** All calls of one turn of the event loop share one load, which starts after them and so sees everything written before. */
export function sharedRead<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let next: Promise<Value> | undefined
  return () => {
    next ??= new Promise<void>(resolve => setImmediate(resolve)).then(() => {
      next = undefined
      return load()
    })
    return next
  }
}
