/** A lock: while one caller has it, the others wait, in the order in which they came. */

export type Gate = {
  /** Waits until the gate is free, then starts `work` in the same turn. */
  readonly pass: <T>(work: () => Promise<T>) => Promise<T>
  /** Waits for its turn and keeps the gate closed until the returned function is called. */
  readonly acquire: () => Promise<() => void>
}

export function createGate(): Gate {
  const waiting: (() => void)[] = []
  let isHeld = false

  /** NOTE: wakes only the callers that may proceed; waking all for each one costs seconds when a thousand wait. */
  function admit(): void {
    for (let next = takeNext(); next !== undefined; next = takeNext()) next()
  }

  function takeNext(): (() => void) | undefined {
    return isHeld ? undefined : waiting.shift()
  }

  function take(): () => void {
    isHeld = true
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      isHeld = false
      admit()
    }
  }

  return {
    pass: work => (isHeld ? new Promise(resolve => waiting.push(() => resolve(work()))) : work()),
    acquire: async () => (isHeld ? new Promise(resolve => waiting.push(() => resolve(take()))) : take()),
  }
}
