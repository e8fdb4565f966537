/** IP addresses, hosts and URIs as text. */

/** The numbers of leading bits of an IPv6 address that identify one host, one household and one site. */
export const networkBits = [64, 56, 48] as const

/**
 * Returns the networks that the owner of an address may have, from the narrowest to the widest. For IPv6 the first 64,
 * 56 and 48 bits: a host has the first, and a site is given one of the others (RFC 4291 2.5.4, RFC 6177 2). For IPv4
 * only the address, and for a text that is not an address only that text.
 */
export function networksOf(address: string): readonly [string, ...string[]] {
  const plain = plainAddress(address)
  const groups = plain.includes(':') ? groupsOf(plain) : null
  if (groups === null) return [plain]
  const [narrowest, ...wider] = networkBits
  return [networkText(groups, narrowest), ...wider.map(bits => networkText(groups, bits))]
}

/**
 * Returns an address without its zone, which has no meaning on other hosts. An IPv4 address in any notation of its IPv6
 * form, as on an IPv6 socket, is returned as the IPv4 address (RFC 4291 2.5.5.2). Other texts are unchanged.
 */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address
  const plain = address.replace(/%.*$/, '')
  // Every notation of such an address contains this group
  const groups = /ffff:/i.test(plain) ? groupsOf(plain) : null
  if (groups === null || groups.slice(0, 6).join() !== mapped) return plain
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Returns the narrowest network of an address: one host. */
export function hostNetwork(address: string): string {
  return networksOf(address)[0]
}

/** Returns the widest network of an address: one site. */
export function siteNetwork(address: string): string {
  return networksOf(address).at(-1) ?? address
}

function networkText(groups: readonly number[], bits: number): string {
  const kept = groups.slice(0, 4).map((group, index) => {
    const cut = Math.max(0, 16 * (index + 1) - bits)
    return (cut >= 16 ? 0 : (group >> cut) << cut).toString(16)
  })
  return `${kept.join(':')}::/${bits}`
}

/** Returns the host of a web address; `null` for other texts: after a private-use scheme an app can write any host. */
export function webHost(uri: string): string | null {
  const url = URL.parse(uri)
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : null
}

/** The prefix of an IPv4 address on an IPv6 socket (RFC 4291 2.5.5.2). */
const mapped = [0, 0, 0, 0, 0, 0xffff].join()

/** Returns the eight numbers of an IPv6 address. The URL parser reads all its notations. */
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

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const loopbackAddress = new RegExp(`^127(?:\\.${octet}){3}$`)

/**
 * Whether a URL's host, or a host to bind, is a loopback one. RFC 6761 6.3 for names, RFC 1122 3.2.1.3 and RFC 4291
 * 2.5.3 for addresses.
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || loopbackAddress.test(name)
}

const longestName = 40
const longest = 500

/**
 * Shortens `uri` for events. Cuts its fragment, the values of its query, and what exceeds 500 characters. Pairs in the
 * query of a `known` URI, such as a registered one, are not secret and keep their values.
 */
export function shownUri(uri: string, known: readonly string[] = []): string {
  const [, address = '', query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(uri) ?? []
  const public_ = new Set(known.flatMap(pairsOf))
  const pairs = query?.split('&').map(pair => (public_.has(pair) ? pair : cut(pair)))
  const whole = `${address}${pairs === undefined ? '' : `?${pairs.join('&')}`}${fragment === undefined ? '' : '#…'}`
  return whole.length > longest ? `${whole.slice(0, longest)}…` : whole
}

/** Whether a part was cut, so that the remaining URI cannot be registered. */
export function isCut(shown: string): boolean {
  return shown.includes('…')
}

function pairsOf(uri: string): readonly string[] {
  return /\?([^#]*)/.exec(uri)?.[1]?.split('&') ?? []
}

function cut(pair: string): string {
  const [name = '', value] = pair.split(/=(.*)/s)
  const isName = name.length <= longestName && /^[\w.[\]-]*$/.test(name)
  if (!isName || value === undefined) return pair === '' ? '' : '…'
  return value === '' ? pair : `${name}=…`
}
