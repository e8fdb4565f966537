/** Reads that are cached until the data may have changed, and reads that concurrent requests share. */

/**
 * Returns the revision of the data; a different one means that any data may have changed. A promise, unless the
 * revision is known.
 */
export type CurrentRevision = () => number | Promise<number>

type Source<Value> = {
  readonly load: (key: string) => Promise<Value | null>
  /** The maximum number of cached values. The same number of keys without a value is cached separately. */
  readonly size: number
  /** Returns the current revision; called at every read. */
  readonly revision: CurrentRevision
}

/**
 * Creates a read that caches values until the revision changes. Keys without a value are cached separately: unknown keys
 * must not displace real ones. A failed load is not cached.
 */
export function cachedRead<Value>({ load, size, revision }: Source<Value>) {
  const kept = new Map<string, Value>()
  const absent = new Map<string, null>()
  let keptRevision: number | null = null

  return async (key: string): Promise<Value | null> => {
    const asked = revision()
    // NOTE: no `await` for a known revision: a request reads several cached values, and an `await` takes longer than
    // the rest of a read
    const current = asked instanceof Promise ? await asked : asked
    if (current !== keptRevision) {
      kept.clear()
      absent.clear()
    }
    keptRevision = current
    const known = kept.get(key)
    // NOTE: entries are moved only while the cache is full, because moving one takes longer than the read
    if (known !== undefined && (kept.size < size || size === 1)) return known
    if (absent.has(key)) return null
    const value = known ?? (await load(key))
    // NOTE: a value that was loaded during a change may be outdated, so it is not cached
    if (keptRevision !== current) return value
    if (value === null) keep(absent, size, [key, null])
    else keep(kept, size, [key, value])
    return value
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
