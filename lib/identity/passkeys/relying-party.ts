/** The relying party of this server's passkeys: the name to which they belong, and the origins at which they work. */
import { isIP } from 'node:net'
import type { Ports } from '#lib/ports/ports.ts'

export type RelyingParty = {
  readonly kind: 'on'
  /** The RP ID: the domain to which passkeys belong. */
  readonly id: string
  /** The origins of the pages at which they are accepted. */
  readonly origins: readonly string[]
}

/** Browsers have no passkeys for an IP address, nor for a page without https. */
type PasskeysOff = { readonly kind: 'off'; readonly why: 'ip_address' | 'not_https' }

/** Returns the relying party, or why there are no passkeys (Web Authentication Level 3, 5.1.3 and 13.4.9). */
export function relyingPartyOf({ settings }: Pick<Ports, 'settings'>): RelyingParty | PasskeysOff {
  const { protocol, hostname, origin } = new URL(settings.issuer)
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return { kind: 'off', why: 'ip_address' }
  if (protocol !== 'https:' && !isLocalhost(hostname)) return { kind: 'off', why: 'not_https' }
  return { kind: 'on', id: hostname, origins: [origin] }
}

/** Whether browsers treat the host as secure without https. */
function isLocalhost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost')
}
