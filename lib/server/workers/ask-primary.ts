/** Asks the primary process for the metrics of all workers. */
import { randomUUID } from 'node:crypto'
import { metrics as limits } from '#lib/config/limits.ts'
import type { TextFormat } from '#lib/metrics/prometheus-text.ts'
import type { FromWorker, ToWorker } from './messages.ts'

/**
 * Returns the metrics as text.
 * @throws Error if the primary process does not answer in time
 */
export function askPrimary(format: TextFormat): Promise<string> {
  const id = randomUUID()
  return new Promise((resolve, reject) => {
    const hear = (message: ToWorker) => {
      if (message.kind === 'metrics' && message.id === id) end(() => resolve(message.text))
    }
    const late = new Error('The primary process did not answer in time.')
    const timer = setTimeout(() => end(() => reject(late)), limits.collectMs)
    const end = (settle: () => void) => {
      clearTimeout(timer)
      process.off('message', hear)
      settle()
    }
    process.on('message', hear)
    process.send?.({ kind: 'metrics_asked', id, format } satisfies FromWorker)
  })
}
