/** Measures work that leaves the process: statements of the database, requests to providers, messages, and stored events. */
import type { DeliveryKind, DeliveryState } from '#lib/ports/outbox.ts'
import { otherValue } from './catalog.ts'
import type { Registry } from './registry.ts'

/** Creates the meter of plain statements. */
export function createStatementMeter(registry: Registry, system: 'sqlite' | 'postgresql') {
  const name = 'db.client.operation.duration'
  const meter = (operation: string) => {
    const slot = registry.find(name, [system, operation])
    return (milliseconds: number) => registry.observe(name, slot, milliseconds / 1000)
  }
  return { read: meter('read'), change: meter('change'), insert: meter('insert') }
}

type MeasuredRequest = {
  readonly provider: string | null
  readonly method: string
  readonly status: number | null
  readonly milliseconds: number
}

const methods: ReadonlySet<string> = new Set(['GET', 'POST'])
const statuses: ReadonlySet<number> = new Set([200, 201, 400, 401, 403, 404, 429, 500, 502, 503, 504])

/** Creates the meter of requests to providers. Administrators name the providers; receivers choose only the status. */
export function createProviderMeter(registry: Registry): (request: MeasuredRequest) => void {
  const name = 'http.client.request.duration'
  return ({ provider, method, status, milliseconds }) => {
    const statusText = status === null ? 'none' : statuses.has(status) ? String(status) : otherValue
    const labels = [provider ?? otherValue, methods.has(method) ? method : otherValue, statusText]
    registry.observe(name, registry.find(name, labels), milliseconds / 1000)
  }
}

/** Creates the counter of attempts to send messages. */
export function createDeliveryCounter(
  registry: Registry,
): (kind: DeliveryKind, state: DeliveryState) => void {
  return (kind, state) => registry.add(registry.find('latchkey.delivery.attempts', [kind, state]), 1)
}

/** Reads the numbers of waiting and lost events whenever the metrics are read. */
export function watchEvents(
  registry: Registry,
  counts: () => { readonly waiting: number; readonly lost: number },
): void {
  const waiting = registry.find('latchkey.events.waiting')
  const dropped = registry.find('latchkey.events.dropped')
  registry.beforeReading(() => {
    const current = counts()
    registry.set(waiting, current.waiting)
    registry.set(dropped, current.lost)
  })
}
