/** Whom a request is addressed to. Nothing of ours believes it (FW-07), but the hosts behind stumble over a bad one. */
import type { IncomingMessage } from 'node:http'

/** Nearly every request of a process names the same one. */
const seen: { good: string | null } = { good: null }

/** RFC 9112 3.2: exactly one `Host`, and RFC 9110 7.2: a host, perhaps with a port. */
export function hasOneHost({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): boolean {
  const { host } = headers
  if (host === undefined || countHosts(rawHeaders) !== 1) return false
  if (host === seen.good) return true
  if (!isHost(host)) return false
  seen.good = host
  return true
}

/** NOTE: Node keeps the first of several and says nothing. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** Spelled as a URL spells it: `127.1` and `[0::1]` are refused by the host behind, without a header of ours. */
function isHost(text: string): boolean {
  const parts = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(text)
  if (parts === null) return false
  return URL.parse(`http://${text}`)?.hostname === parts[1]?.toLowerCase()
}
