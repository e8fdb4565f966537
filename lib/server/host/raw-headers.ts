/**
 * Changes a request's headers before any host reads them. NOTE: Node keeps them twice, parsed and raw, and the hosts
 * read different ones; changing one alone would be seen by some code and not by the rest.
 */
import type { IncomingMessage } from 'node:http'

export function removeHeaders(incoming: IncomingMessage, isUnwanted: (name: string) => boolean): void {
  const kept: string[] = []
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
    const name = incoming.rawHeaders[at] ?? ''
    const lower = name.toLowerCase()
    if (isUnwanted(lower)) delete incoming.headers[lower]
    else kept.push(name, incoming.rawHeaders[at + 1] ?? '')
  }
  if (kept.length !== incoming.rawHeaders.length) incoming.rawHeaders = kept
}

export function addHeader(incoming: IncomingMessage, name: string, value: string): void {
  incoming.headers[name] = value
  incoming.rawHeaders.push(name, value)
}
