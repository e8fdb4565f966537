/** Which network addresses an outbound request may reach: the public internet, and in development the machine itself. */
import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { FetchRefused } from './fetch-refused.ts'

export type AddressKind = 'public' | 'loopback' | 'special'

/** Resolves a name to all of its addresses. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/**
 * Sorts one address. Special are all ranges of the IANA special-purpose registries, and IPv6 outside 2000::/3, which
 * covers IPv4-compatible and translated forms. An IPv4-mapped address counts as the IPv4 address that it contains.
 */
export function addressKind(address: string): AddressKind {
  if (!ipaddr.isValid(address)) return 'special'
  const parsed = ipaddr.process(address)
  const range = parsed.range()
  if (range === 'loopback') return 'loopback'
  if (range !== 'unicast') return 'special'
  const isGlobal = parsed instanceof ipaddr.IPv4 || parsed.match(ipaddr.IPv6.parse('2000::'), 3)
  return isGlobal ? 'public' : 'special'
}

/** Throws `FetchRefused` unless every address is allowed: one private address among public ones is an attack. */
export function requireReachable(addresses: readonly string[], allowed: ReadonlySet<AddressKind>): void {
  if (addresses.length === 0) throw new FetchRefused('host_has_no_address')
  if (!addresses.every(address => allowed.has(addressKind(address))))
    throw new FetchRefused('address_not_allowed')
}

/**
 * A `lookup` for one connection that hands out checked addresses only. The check and the connection share one answer of
 * the resolver: a second answer, which could differ (DNS rebinding), is never asked for.
 */
export function checkedLookup(
  allowed: ReadonlySet<AddressKind>,
  resolve: Resolve = systemResolve,
): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (addresses: readonly string[]): void => {
      requireReachable(addresses, allowed)
      const found = addresses.map(address => ({
        address,
        family: ipaddr.parse(address).kind() === 'ipv6' ? 6 : 4,
      }))
      if (options.all) callback(null, found)
      else callback(null, found[0]?.address ?? '', found[0]?.family)
    }
    resolve(hostname)
      .then(answer)
      .catch((error: unknown) =>
        callback(error instanceof Error ? error : new FetchRefused('lookup_failed'), []),
      )
  }
}

async function systemResolve(hostname: string): Promise<readonly string[]> {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}
