/** Measures the connections to PostgreSQL. */
import type { ConnectionCounts } from '#lib/ports/administration.ts'
import type { Registry } from './registry.ts'

/** Reads the counts whenever the metrics are read. SQLite has no connections: `count` returns `null`. */
export function watchConnections(registry: Registry, count: () => ConnectionCounts | null): void {
  if (count() === null) return
  const name = 'latchkey.database.connections'
  const [used, idle] = [registry.find(name, ['used']), registry.find(name, ['idle'])]
  const waiting = registry.find('latchkey.database.waiting')
  registry.beforeReading(() => {
    const counts = count()
    if (counts === null) return
    registry.set(used, counts.used)
    registry.set(idle, counts.idle)
    registry.set(waiting, counts.waiting)
  })
}
