/** Hosts that only this machine itself can reach. */

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const loopbackAddress = new RegExp(`^127(?:\\.${octet}){3}$`)

/** RFC 6761 6.3 for names, RFC 1122 3.2.1.3 and RFC 4291 2.5.3 for addresses. A URL's host or a host to bind. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$/g, '')
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || loopbackAddress.test(name)
}
