/** Who is asking, as far as a network address says, and as far as proxies can be believed (FW-07). */
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

export type ProxyTrust = {
  readonly trustProxy: boolean
  /** Addresses and ranges; empty: whoever connects is the proxy. */
  readonly trustedProxies: readonly string[]
}

export type AddressReader = (incoming: IncomingMessage) => string

/** Reads the address of the connection, or the last one in `X-Forwarded-For` that no trusted proxy wrote itself. */
export function addressReader({ trustProxy, trustedProxies }: ProxyTrust): AddressReader {
  const proxies = listOf(trustedProxies)
  return incoming => {
    const peer = plain(incoming.socket.remoteAddress ?? '')
    if (!trustProxy) return peer
    const forwarded = forwardedFor(incoming)
    if (proxies === null) return forwarded.at(-1) ?? peer
    return isListed(proxies, peer) ? (forwarded.findLast(hop => !isListed(proxies, hop)) ?? peer) : peer
  }
}

/** Headers that only proxies write; nothing of ours reads them after the address was taken. */
export function isForwardingHeader(name: string): boolean {
  return name.startsWith('x-forwarded-') || name === 'forwarded' || name === 'x-real-ip'
}

function forwardedFor(incoming: IncomingMessage): readonly string[] {
  const header = incoming.headers['x-forwarded-for'] ?? ''
  const hops = (Array.isArray(header) ? header.join(',') : header).split(',').map(hop => plain(hop.trim()))
  return hops.filter(hop => isIP(hop) !== 0)
}

/** An IPv4 address that arrives on an IPv6 socket is the same address. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/^\[|\]$/g, '')
}

function listOf(proxies: readonly string[]): BlockList | null {
  if (proxies.length === 0) return null
  const list = new BlockList()
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/')
    const family = familyOf(address)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

function isListed(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
