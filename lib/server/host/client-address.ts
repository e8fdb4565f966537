/** Who is asking, as far as a network address says, and as far as proxies can be believed (FW-07). */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { addressMatcher } from '#lib/config/address-ranges.ts'

export type ProxyTrust = {
  readonly trustProxy: boolean
  /** Addresses and ranges; empty: every caller is a trusted proxy. */
  readonly trustedProxies: readonly string[]
}

type Asking = Pick<IncomingMessage, 'socket' | 'headers'>
export type AddressReader = (incoming: Asking) => string

/**
 * Reads the address of the connection, or the last one in `X-Forwarded-For` that is not a trusted proxy. A caller can invent
 * the entries to the left of an unreadable one: then the address of the connection is used.
 */
export function addressReader({ trustProxy, trustedProxies }: ProxyTrust): AddressReader {
  const isProxy = trustedProxies.length === 0 ? null : addressMatcher(trustedProxies)
  return incoming => {
    const peer = plain(incoming.socket.remoteAddress ?? '')
    if (!trustProxy) return peer
    const forwarded = forwardedFor(incoming)
    if (isProxy === null) return forwarded.at(-1) ?? peer
    if (!isProxy(peer)) return peer
    return forwarded.findLast(hop => hop === null || !isProxy(hop)) ?? peer
  }
}

/** Headers of proxies; they are not read after the address was determined. */
export function isForwardingHeader(name: string): boolean {
  return name.startsWith('x-forwarded-') || name === 'forwarded' || name === 'x-real-ip'
}

/** The hops in their order; `null` for an invalid address. */
function forwardedFor(incoming: Asking): ReadonlyArray<string | null> {
  const header = incoming.headers['x-forwarded-for'] ?? ''
  return (Array.isArray(header) ? header.join(',') : header).split(',').map(hop => hopAddress(hop.trim()))
}

/** RFC 7239 6: an address may come with a port, and an IPv6 address is then in brackets. */
function hopAddress(hop: string): string | null {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? []
  const address = plain(bracketed ?? dotted ?? hop)
  return isIP(address) === 0 ? null : address
}

/** An IPv4 address that arrives on an IPv6 socket is the same address, and a zone means nothing elsewhere. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
}
