/** Measures the queues of expensive checks: of passwords by their kind of hash, and of secrets. */
import type { Registry } from './registry.ts'

export type CheckedQueue = 'password' | 'slow_password' | 'thread_password' | 'secret'

/** Creates the meter that a queue calls. */
export function createQueueMeter(registry: Registry, queue: CheckedQueue) {
  const waiting = registry.find('latchkey.hash.queue', [queue])
  const refused = registry.find('latchkey.hash.refused', [queue])
  const duration = 'latchkey.hash.duration'
  const durations = registry.find(duration, [queue])
  return {
    watch: (count: () => number) => registry.beforeReading(() => registry.set(waiting, count())),
    ran: (milliseconds: number) => registry.observe(duration, durations, milliseconds / 1000),
    refused: () => registry.add(refused, 1),
  }
}
