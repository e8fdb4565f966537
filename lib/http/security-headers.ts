/** The default headers of responses, and CORS for the endpoints that browser apps call by script. */
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

/** HSTS for two years, with subdomains. */
const overHttps = { ...always, 'strict-transport-security': 'max-age=63072000; includeSubDomains' } as const

/** Returns the headers for an issuer: HSTS is useful only over https. */
export function securityHeaders(issuer: string): Readonly<Record<string, string>> {
  return isHttps(issuer) ? overHttps : always
}

export function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...headers, ...reply.headers } }
}

/** Whether the server is reached over https. The configured issuer decides, never the request (FW-07). */
export function isHttps(issuer: string): boolean {
  return issuer.startsWith('https:')
}

type OriginCheck = (origin: string) => Promise<boolean>

const exposed = 'WWW-Authenticate, Retry-After, X-Reference-Id'
const preflightCacheSeconds = '600'

/** Returns the headers for the request's origin. `null`, unknown and absent origins get only `Vary`. */
export async function corsHeaders(
  request: { readonly headers: Pick<Headers, 'get'> },
  allowsOrigin: OriginCheck,
): Promise<Readonly<Record<string, string>>> {
  const origin = request.headers.get('origin')
  if (origin === null) return { vary: 'Origin' }
  if (origin === 'null' || !(await allowsOrigin(origin))) return { vary: 'Origin' }
  return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed }
}

/**
 * Returns the additional headers of a preflight response for an allowed origin: it may send the headers that it
 * requests (the usual ones if that list is malformed, too long or missing), but never cookies.
 */
export function preflightHeaders(
  { headers }: Request,
  methods: readonly string[],
): Readonly<Record<string, string>> {
  return {
    vary: 'Origin, Access-Control-Request-Headers',
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': allowedHeaders(headers.get('access-control-request-headers')),
    'access-control-max-age': preflightCacheSeconds,
  }
}

const usualHeaders = 'Authorization, Content-Type'
const longestRequestedHeaders = 1000
// Fetch 4.10: names (RFC 9110 5.6.2) separated by commas
const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:[ \t]*,[ \t]*[\w!#$%&'*+.^`|~-]+)*$/

function allowedHeaders(asked: string | null): string {
  const isList = asked !== null && asked.length <= longestRequestedHeaders && headerNames.test(asked)
  return isList ? asked : usualHeaders
}

export function isPreflight(request: Request): boolean {
  return request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
}
