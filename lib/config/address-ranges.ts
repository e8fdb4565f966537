/** Network addresses and CIDR ranges, as settings name them. */
import { BlockList, isIP } from 'node:net'

/** `10.0.0.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/**
 * Whether an address is one of these or in one of their ranges; `false` for invalid addresses. NOTE: an IPv4
 * address and its form in IPv6 (`::ffff:10.0.0.7`) are the same to `BlockList`, on either side.
 */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return address => isIP(address) !== 0 && list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
