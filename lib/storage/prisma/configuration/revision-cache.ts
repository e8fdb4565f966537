/**
 * Keeps parsed configuration for as long as the revision does not change. Every use asks for it, so a change on any
 * node counts from the next use on, everywhere.
 */

export type RevisionCache = {
  /** A shelf for one kind of value, holding the `size` most recently used. */
  readonly shelf: <T>(size: number) => Shelf<T>
}

/** Returns what is kept under the key, else what `load` finds. `null` is not kept. */
export type Shelf<T> = (key: string, load: () => Promise<T | null>) => Promise<T | null>

type Generation<T> = { readonly revision: number; readonly entries: Map<string, T> }

export function createRevisionCache(currentRevision: () => Promise<number>): RevisionCache {
  return { shelf: size => createShelf(currentRevision, size) }
}

function createShelf<T>(currentRevision: () => Promise<number>, size: number): Shelf<T> {
  let held: Generation<T> = { revision: -1, entries: new Map() }
  return async (key, load) => {
    const revision = await currentRevision()
    if (held.revision !== revision) held = { revision, entries: new Map() }
    return recall(held.entries, { key, size, load })
  }
}

type Recall<T> = { readonly key: string; readonly size: number; readonly load: () => Promise<T | null> }

/** NOTE: stores into the generation it began with; a newer one must not receive what was loaded before it. */
async function recall<T>(entries: Map<string, T>, { key, size, load }: Recall<T>): Promise<T | null> {
  const kept = entries.get(key)
  const value = kept ?? (await load())
  if (value === null) return null
  entries.delete(key)
  entries.set(key, value)
  const oldest = entries.keys().next()
  if (entries.size > size && !oldest.done) entries.delete(oldest.value)
  return value
}

/** All who ask in one turn of the event loop share one read, which starts after they asked. */
export function sharedRead(read: () => Promise<number>): () => Promise<number> {
  let waiting: Promise<number> | null = null
  return () => {
    waiting ??= new Promise<void>(resolve => setImmediate(resolve)).then(() => {
      waiting = null
      return read()
    })
    return waiting
  }
}
