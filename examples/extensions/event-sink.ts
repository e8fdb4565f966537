/**
 * Sends failed and rate-limited sign-ins, and replayed codes and refresh tokens, to the collector that `EVENT_COLLECTOR` names.
 */
import type { RecordedEvent } from '#lib/ports/events.ts'
import type { Extensions } from '#lib/ports/extensions.ts'

const collector = process.env.EVENT_COLLECTOR ?? 'http://127.0.0.1:9000/events'
const watched = new Set<RecordedEvent['name']>([
  'sign_in_failed',
  'sign_in_limited',
  'refresh_token_replayed',
  'code_replayed',
])
const waiting: RecordedEvent[] = []

/**
 * Sends at most a hundred of the collected events. The server does not wait for sinks: collect events in `record`, send them
 * later, and rather lose events than delay requests.
 */
async function flush(): Promise<void> {
  const batch = waiting.splice(0, 100)
  if (batch.length === 0) return
  await fetch(collector, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(batch),
    signal: AbortSignal.timeout(2000),
  })
}

setInterval(() => void flush().catch(() => undefined), 1000).unref()

const extensions: Extensions = {
  eventSinks: [
    {
      record(event) {
        if (watched.has(event.name) && waiting.length < 10_000) waiting.push(event)
      },
    },
  ],
}
export default extensions
