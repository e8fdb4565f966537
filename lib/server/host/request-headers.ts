/** Reads and changes the headers of a request before routes and pages read them. */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { addressMatcher } from '#lib/config/address-ranges.ts'
import { plainAddress } from '#lib/protocol/text/addresses.ts'

export type ProxyTrust = {
  readonly trustProxy: boolean
  /** The addresses and ranges of trusted proxies. Empty: every caller is a trusted proxy. */
  readonly trustedProxies: readonly string[]
  /** Whether all connections come through a Unix socket, whose file decides who can be the proxy. */
  readonly isOnSocket: boolean
}

type Asking = Pick<IncomingMessage, 'socket' | 'headers'>
export type AddressReader = (incoming: Asking) => string

/** The address of a caller that connects through a Unix socket and reports no other address. */
const thisMachine = '127.0.0.1'

/**
 * Creates the reader of caller addresses: the address of the connection, or the last one in `X-Forwarded-For` that is
 * not a trusted proxy (FW-07). A caller can invent the entries to the left of an unreadable one, so then the address of
 * the connection is used.
 */
export function addressReader({ trustProxy, trustedProxies, isOnSocket }: ProxyTrust): AddressReader {
  const isProxy = trustedProxies.length === 0 ? null : addressMatcher(trustedProxies)
  return incoming => {
    const peer = isOnSocket ? thisMachine : plainAddress(incoming.socket.remoteAddress ?? '')
    if (!trustProxy) return peer
    const forwarded = forwardedFor(incoming)
    if (isProxy === null) return forwarded.at(-1) ?? peer
    if (!isOnSocket && !isProxy(peer)) return peer
    return forwarded.findLast(hop => hop === null || !isProxy(hop)) ?? peer
  }
}

/** Creates the check whether a request comes from a proxy at one of the addresses in `TRUST_PROXY`, or through a Unix socket. */
export function proxyCheck({
  trustProxy,
  trustedProxies,
  isOnSocket,
}: ProxyTrust): (incoming: Pick<IncomingMessage, 'socket'>) => boolean {
  const isProxy = trustedProxies.length === 0 ? null : addressMatcher(trustedProxies)
  return ({ socket }) =>
    trustProxy && (isOnSocket || isProxy?.(plainAddress(socket.remoteAddress ?? '')) === true)
}

/** Whether proxies set the header. These headers are removed after the address was determined. */
export function isForwardingHeader(name: string): boolean {
  return /^(x-(forwarded-|real-ip$)|forwarded$)/.test(name)
}

/** Returns the hops in their order; `null` for an invalid address. */
function forwardedFor(incoming: Asking): ReadonlyArray<string | null> {
  const header = incoming.headers['x-forwarded-for'] ?? ''
  return (Array.isArray(header) ? header.join(',') : header).split(',').map(hop => hopAddress(hop.trim()))
}

/** Returns the address of a hop. RFC 7239 6: it may have a port, and an IPv6 address is then in brackets. */
function hopAddress(hop: string): string | null {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? []
  const address = plainAddress(bracketed ?? dotted ?? hop)
  return isIP(address) === 0 ? null : address
}

/** The last valid host: nearly all requests of a process have the same one. */
const checked: { host: string | null } = { host: null }

/**
 * Whether the request has exactly one `Host` (RFC 9112 3.2), which is a host with an optional port (RFC 9110 7.2). The
 * project's code does not use it (FW-07), but Next and the adapter fail with an invalid one.
 */
export function hasOneHost({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): boolean {
  const { host } = headers
  // NOTE: Node uses the first of several `Host` headers
  if (host === undefined || countHosts(rawHeaders) !== 1) return false
  if (host === checked.host) return true
  if (!isHost(host)) return false
  checked.host = host
  return true
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/**
 * Whether a text is a host in the spelling of URLs: the adapter refuses `127.1` and `[0::1]`, without security headers.
 */
function isHost(text: string): boolean {
  const parts = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(text)
  if (parts === null) return false
  return URL.parse(`http://${text}`)?.hostname === parts[1]?.toLowerCase()
}

/**
 * Removes headers. NOTE: Node stores headers twice, parsed and raw, and different code reads different ones: both must
 * be changed.
 */
export function removeHeaders(incoming: IncomingMessage, isUnwanted: (name: string) => boolean): void {
  const isName = (index: number) => index % 2 === 0
  if (!incoming.rawHeaders.some((text, index) => isName(index) && isUnwanted(text.toLowerCase()))) return
  const kept: string[] = []
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
    const name = incoming.rawHeaders[at] ?? ''
    const lower = name.toLowerCase()
    if (isUnwanted(lower)) delete incoming.headers[lower]
    else kept.push(name, incoming.rawHeaders[at + 1] ?? '')
  }
  incoming.rawHeaders = kept
}

/** Adds a missing `Host`. RFC 9112 3.2: HTTP/1.0 does not need one, and health checks of some proxies send none. */
export function addMissingHost(incoming: IncomingMessage, host: string): void {
  if (incoming.httpVersionMinor === 0 && incoming.headers.host === undefined)
    addHeader(incoming, 'host', host)
}

export function addHeader(incoming: IncomingMessage, name: string, value: string): void {
  incoming.headers[name] = value
  incoming.rawHeaders.push(name, value)
}
