/**
 * Reads that one process may remember, because nobody else can write: the lease on the SQLite file proves that. Never
 * used on PostgreSQL, where other nodes write.
 */

export type RememberedRead<Value> = {
  readonly read: (key: string) => Promise<Value>
  /** Called when a write has ended, however it ended: whoever asks from then on reads anew. */
  readonly forget: (keys?: readonly string[]) => void
}

/** Holds at most `most` answers and begins anew beyond. */
export function rememberedRead<Value>(
  load: (key: string) => Promise<Value>,
  most: number,
): RememberedRead<Value> {
  const kept = new Map<string, { readonly value: Value }>()
  let generation = 0
  return {
    read: async key => {
      const known = kept.get(key)
      if (known !== undefined) return known.value
      const began = generation
      const value = await load(key)
      // NOTE: what was read while somebody wrote may be what stood before
      if (began === generation) {
        if (kept.size >= most) kept.clear()
        kept.set(key, { value })
      }
      return value
    },
    forget: keys => {
      generation += 1
      if (keys === undefined) kept.clear()
      else for (const key of keys) kept.delete(key)
    },
  }
}
