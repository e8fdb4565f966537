/**
 * Keeps the values that were used most recently: at least half of `size`, at most `size`. NOTE: two maps, because a single
 * map from which the oldest entry is removed each time iterates over all removed entries to find it.
 */
export function createRecentlyUsed<Value>(size: number) {
  let recent = new Map<string, Value>()
  let older = new Map<string, Value>()
  const put = (key: string, value: Value): void => {
    if (recent.size >= size / 2 && !recent.has(key)) {
      older = recent
      recent = new Map()
    }
    recent.set(key, value)
  }
  return {
    put,
    find: (key: string): Value | null => {
      const known = recent.get(key)
      if (known !== undefined) return known
      const value = older.get(key)
      if (value === undefined) return null
      put(key, value)
      return value
    },
  }
}
