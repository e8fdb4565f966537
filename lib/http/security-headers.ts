/** The headers that every answer carries, whatever it is (WF-01, WF-03, AZ-11). A reply may override them by name. */
import type { Reply } from './reply.ts'

const always = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

/** Two years, with subdomains. */
const overHttps = { ...always, 'strict-transport-security': 'max-age=63072000; includeSubDomains' } as const

/** The headers for an issuer: HSTS only makes sense over https. */
export function securityHeaders(issuer: string): Readonly<Record<string, string>> {
  return isHttps(issuer) ? overHttps : always
}

export function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...headers, ...reply.headers } }
}

/** The configured issuer decides, never the request (FW-07). */
export function isHttps(issuer: string): boolean {
  return issuer.startsWith('https:')
}
