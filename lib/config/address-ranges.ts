/** Network addresses and CIDR ranges in settings. */
import { BlockList, isIP } from 'node:net'

/** Whether the text is an address or a range: `10.0.0.7`, `10.0.0.0/8`, `2001:db8::/32`. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/**
 * Returns a function that checks whether an address is in one of the ranges; `false` for invalid addresses. NOTE:
 * `BlockList` treats an IPv4 address and its IPv6 form (`::ffff:10.0.0.7`) as equal, in ranges and in addresses.
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
