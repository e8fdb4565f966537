/** Reads whose results are kept in memory until they may have changed. */

/** The revision of the data; a different one means that everything may have changed. */
export type CurrentRevision = () => Promise<number>

type Source<Value> = {
  readonly load: (key: string) => Promise<Value | null>
  /** How many results are kept: the most recently used. */
  readonly size: number
  /** Asked at every read. Left out by a process that is the only writer and calls `forget`. */
  readonly revision?: CurrentRevision
}

export type CachedRead<Value> = {
  readonly read: (key: string) => Promise<Value | null>
  /** Called when a write has ended, successful or not: later reads load again. Without keys everything is forgotten. */
  readonly forget: (keys?: readonly string[]) => void
}

/** `null` is not kept: made-up keys must not push out real ones. A failed load is not kept. */
export function cachedRead<Value>({ load, size, revision }: Source<Value>): CachedRead<Value> {
  const kept = new Map<string, Value>()
  let keptRevision: number | null = null
  let changes = 0

  function forget(keys?: readonly string[]): void {
    changes += 1
    if (keys === undefined) kept.clear()
    else for (const key of keys) kept.delete(key)
  }

  function keep(key: string, value: Value): void {
    kept.delete(key)
    kept.set(key, value)
    if (kept.size <= size) return
    const oldest = kept.keys().next()
    if (!oldest.done) kept.delete(oldest.value)
  }

  return {
    forget,
    read: async key => {
      const current = revision === undefined ? keptRevision : await revision()
      if (current !== keptRevision) forget()
      keptRevision = current
      const known = kept.get(key)
      const began = changes
      const value = known ?? (await load(key))
      // NOTE: a result that was loaded while something changed may be the old one
      if (value !== null && began === changes) keep(key, value)
      return value
    },
  }
}
