/** Reads that are cached until the data may have changed, and reads that concurrent requests share. */

/**
 * Returns the revision of the data; a different one means that any data may have changed. A promise, unless the
 * revision is known.
 */
export type CurrentRevision = () => number | Promise<number>

type Source<Value> = {
  readonly load: (key: string) => Promise<Value | null>
  /**
   * The maximum number of cached values; the most recently used are kept. The same number of keys without a value is
   * cached separately.
   */
  readonly size: number
  /** Called at every read. Left out by a process that is the only writer and calls `forget`. */
  readonly revision?: CurrentRevision
}

type CachedRead<Value> = {
  readonly read: (key: string) => Promise<Value | null>
  /** Discards the cache. Must be called when a write has ended, successful or not. */
  readonly forget: () => void
}

/**
 * Creates a cached read. Keys without a value are cached separately: unknown keys must not displace real ones. A failed
 * load is not cached.
 */
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
      // NOTE: no `await` for a known revision: a request reads several cached values, and an `await` takes longer than
      // the rest of a read
      const current = asked instanceof Promise ? await asked : asked
      if (current !== keptRevision) forget()
      keptRevision = current
      const known = kept.get(key)
      // NOTE: the order of use matters only when the cache is full; moving an entry at each read takes longer than the
      // read
      if (known !== undefined && (kept.size < size || size === 1)) return known
      if (absent.has(key)) return null
      const began = changes
      const value = known ?? (await load(key))
      // NOTE: a value that was loaded during a change may be outdated, so it is not cached
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

/**
 * Shares one load among all calls of one turn of the event loop. The load starts after them, so that it returns
 * everything written before.
 */
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
