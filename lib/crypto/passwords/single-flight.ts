/** Callers that ask for the same at the same moment share one answer. */
import { hash, randomBytes } from 'node:crypto'

export type SingleFlight<T> = (what: string, work: () => Promise<T>) => Promise<T>

/** Forgets every answer, and every failure, as soon as it is there. `what` may be secret: only a keyed digest is held. */
export function createSingleFlight<T>(): SingleFlight<T> {
  const processKey = randomBytes(32).toString('base64url')
  const running = new Map<string, Promise<T>>()
  return (what, work) => {
    const key = hash('sha256', `${processKey}\n${what}`, 'base64url')
    const started = running.get(key)
    if (started !== undefined) return started
    const starting = work().finally(() => running.delete(key))
    running.set(key, starting)
    return starting
  }
}
