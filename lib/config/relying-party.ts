/** Reads the domain to which passkeys belong: `WEBAUTHN_RP_ID` and `WEBAUTHN_RELATED_ORIGINS`. */
import { isIP } from 'node:net'
import { ConfigError } from '#lib/errors/config-error.ts'

type Given = {
  readonly WEBAUTHN_RP_ID?: string | undefined
  readonly WEBAUTHN_RELATED_ORIGINS?: readonly string[] | undefined
}

type RelyingParty =
  | {
      readonly kind: 'on'
      readonly id: string
      readonly origins: readonly string[]
      readonly isShared?: boolean
    }
  | { readonly kind: 'off'; readonly why: 'ip_address' | 'not_https' }

/**
 * Returns the relying party, and the origins of other sites that may use its passkeys (Web Authentication Level 3, 5.11).
 * Passkeys are accepted only at pages of this server.
 * @throws ConfigError if browsers would refuse the RP ID at the issuer
 */
export function readRelyingParty(
  { WEBAUTHN_RP_ID: given, WEBAUTHN_RELATED_ORIGINS: relatedOrigins = [] }: Given,
  issuer: string,
): { readonly relyingParty: RelyingParty; readonly relatedOrigins: readonly string[] } {
  const why = reasonForNone(new URL(issuer))
  if (why !== null) {
    if (given !== undefined)
      throw new ConfigError(`WEBAUTHN_RP_ID is "${given}", but ${whyTexts[why](issuer)}.`)
    return { relyingParty: { kind: 'off', why }, relatedOrigins }
  }
  const { hostname } = new URL(issuer)
  const id = given ?? hostname
  if (!isHostOrParent(id, hostname) && !relatedOrigins.includes(issuer)) {
    throw new ConfigError(
      `WEBAUTHN_RP_ID is "${id}", but browsers accept only the host of the issuer ${issuer} or a domain above it; correct it, or add ${issuer} to WEBAUTHN_RELATED_ORIGINS and serve https://${id}/.well-known/webauthn.`,
    )
  }
  // Hosts below the RP ID can use it, too; below a name such as login.example.com there are rarely any
  const isShared = relatedOrigins.length > 0 || id !== hostname || isSiteDomain(hostname)
  return { relyingParty: { kind: 'on', id, origins: [issuer], isShared }, relatedOrigins }
}

/** Whether the host is probably the domain of a whole site, such as example.com. */
function isSiteDomain(host: string): boolean {
  return host !== 'localhost' && host.split('.').length < 3
}

const whyTexts = {
  ip_address: (issuer: string) =>
    `browsers have no passkeys for an IP address such as that of the issuer ${issuer}; use a host name, or remove it`,
  not_https: (issuer: string) =>
    `browsers have no passkeys without https, and the issuer is ${issuer}; use https, or remove it`,
} as const

/** Browsers have no passkeys for an IP address, nor for a page without https, except on localhost. */
function reasonForNone({ protocol, hostname }: URL): keyof typeof whyTexts | null {
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return 'ip_address'
  const isLocalhost = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocalhost ? null : 'not_https'
}

/** Whether `id` is the host, or a domain above it with at least two labels. Browsers refuse public suffixes. */
export function isHostOrParent(id: string, host: string): boolean {
  return id === host || (id.includes('.') && host.endsWith(`.${id}`))
}
