/** One request, one look at the registered scopes. */
import type { Ports } from '#lib/ports/ports.ts'

/**
 * Ports that read the registered scopes once, however many parts of a request ask: they all see the same, and the
 * store is asked at the same moment as for the client.
 */
export function readingOnce(ports: Ports): Ports {
  const registered = ports.scopes.all()
  // Whoever asks gets the failure; a request that is refused before anybody asks must not end the process.
  registered.catch(() => undefined)
  return { ...ports, scopes: { find: ports.scopes.find, all: () => registered } }
}
