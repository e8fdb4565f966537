/** Lets callers with the same key take a step one after the other. */

/** Beyond `most` callers of one key, `run` answers `null` without running the step. */
export function createWaitingLines(most: number) {
  const lines = new Map<string, { last: Promise<unknown>; length: number }>()
  return {
    run: async <T>(key: string, step: () => Promise<T>): Promise<T | null> => {
      const line = lines.get(key) ?? { last: Promise.resolve(), length: 0 }
      if (line.length >= most) return null
      lines.set(key, line)
      line.length += 1
      const turn = line.last.then(step)
      line.last = turn.catch(() => {})
      try {
        return await turn
      } finally {
        line.length -= 1
        if (line.length === 0) lines.delete(key)
      }
    },
  }
}
