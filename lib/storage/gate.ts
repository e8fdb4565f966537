/** Makes everybody wait while one holds it. */

export type Gate = {
  /** Waits until nobody holds the gate, then starts `work` in the same turn. */
  readonly pass: <T>(work: () => Promise<T>) => Promise<T>
  /** Waits for its turn and holds the gate until the returned function is called. */
  readonly hold: () => Promise<() => void>
}

export function createGate(): Gate {
  let held: Promise<void> | null = null
  return {
    pass: async work => {
      while (held !== null) await held
      return work()
    },
    hold: async () => {
      while (held !== null) await held
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        if (held === promise) held = null
        resolve()
      }
    },
  }
}
