/** CORS for the endpoints that browser apps call by script: registered origins only, never with credentials (TK-15). */

type OriginCheck = (origin: string) => Promise<boolean>

const exposed = 'WWW-Authenticate, Retry-After, X-Reference-Id'
const preflightCacheSeconds = '600'

/** The headers for the request's origin. `null`, unknown and absent origins get none but `Vary`. */
export async function corsHeaders(
  request: Request,
  allowsOrigin: OriginCheck,
): Promise<Readonly<Record<string, string>>> {
  const origin = request.headers.get('origin')
  if (origin === null) return { vary: 'Origin' }
  if (origin === 'null' || !(await allowsOrigin(origin))) return { vary: 'Origin' }
  return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed }
}

/** What a preflight adds for an origin that was allowed. */
export function preflightHeaders(methods: readonly string[]): Readonly<Record<string, string>> {
  return {
    'access-control-allow-methods': methods.join(', '),
    'access-control-allow-headers': 'Authorization, Content-Type',
    'access-control-max-age': preflightCacheSeconds,
  }
}

export function isPreflight(request: Request): boolean {
  return request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
}
