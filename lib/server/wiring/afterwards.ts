/** Work after a response was sent. */
import { randomInt } from 'node:crypto'
import { afterwards as limits } from '#lib/config/limits.ts'
import type { Afterwards } from '#lib/ports/environment.ts'

type LateWork = {
  readonly run: Afterwards
  /** Begins the work that still waits, and resolves when all of it is done. */
  readonly settle: () => Promise<void>
}

/**
 * Begins each work after a random pause: the pause hides from later requests of the same caller whether the work, such as
 * sending a mail, was much or little.
 */
export function createAfterwards(onFailure: (error: unknown) => void): LateWork {
  const waiting = new Map<NodeJS.Timeout, () => Promise<void>>()
  const running = new Set<Promise<void>>()
  const start = (work: () => Promise<void>) => {
    const done = work()
      .catch(onFailure)
      .finally(() => running.delete(done))
    running.add(done)
  }
  return {
    run: work => {
      const timer = setTimeout(
        () => {
          waiting.delete(timer)
          start(work)
        },
        randomInt(limits.leastMs, limits.mostMs),
      )
      waiting.set(timer, work)
    },
    settle: async () => {
      for (const [timer, work] of waiting) {
        clearTimeout(timer)
        start(work)
      }
      waiting.clear()
      await Promise.all(running)
    },
  }
}
