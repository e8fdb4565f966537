/** By what an address is counted. */

/**
 * The address itself; for IPv6 its first 64 bits, because the owner of one address has the whole network
 * (RFC 4291 2.5.4, RFC 6177). An invalid address is returned unchanged.
 */
export function addressKey(address: string): string {
  const groups = address.includes(':') ? groupsOf(address.replace(/%.*$/, '')) : null
  if (groups === null) return address
  const [high = 0, low = 0] = groups.slice(6)
  if (groups.slice(0, 6).join() === mapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const network = groups.slice(0, 4).map(group => group.toString(16))
  return `${network.join(':')}::/64`
}

/** RFC 4291 2.5.5.2: an IPv4 address on an IPv6 socket. */
const mapped = [0, 0, 0, 0, 0, 0xffff].join()

/** The eight numbers of an IPv6 address. The URL parser reads every way of writing one. */
function groupsOf(address: string): readonly number[] | null {
  if (!URL.canParse(`http://[${address}]/`)) return null
  const [start = '', end] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const [before, after] = [numbersOf(start), numbersOf(end ?? '')]
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return [...before, ...zeros, ...after]
}

function numbersOf(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16))
}
