/** Keeps the `size` most recently used values. */
export function createRecentlyUsed<Value>(size: number) {
  const kept = new Map<string, Value>()
  const put = (key: string, value: Value): void => {
    kept.delete(key)
    kept.set(key, value)
    const [oldest] = kept.size > size ? kept.keys() : []
    if (oldest !== undefined) kept.delete(oldest)
  }
  return {
    put,
    find: (key: string): Value | null => {
      const value = kept.get(key)
      if (value === undefined) return null
      put(key, value)
      return value
    },
  }
}
