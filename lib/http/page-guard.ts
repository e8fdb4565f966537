/** What is refused on pages before the framework sees it (FW-04, FW-06, WF-12). */

export type GuardRefusal = { readonly status: 400 | 404 | 405; readonly allow: string | null }

/** Route handlers, which answer every method themselves. Everything else that Next serves is a page or a file. */
const handledPaths = new RegExp(
  [
    '^/(login|login/providers|login/new-password|select-account|consent|logout)/submit$',
    '^/login/(cancel|return|external/[^/]+/(start|callback))$',
    '^/account/(apps/revoke|sessions/end|password/change)$',
    '^/playground/(start|callback|refresh|revoke)$',
    '^/(connect|\\.well-known)/[a-z/-]+$',
    '^/admin/(sign-in|callback|sign-out|theme|tail|setup/submit|events/export|changes/export|configuration/export|do/[a-z_.]+|providers/[^/]+/trial/(start|return)|clients/[^/]+/test/start|client-test/return)$',
    '^/api/admin(/[^/]+)*$',
    '^/(language|healthz|readyz)$',
  ].join('|'),
)

type Asked = {
  readonly method: string
  /** Without query. */
  readonly path: string
  readonly hasHeader: (name: string) => boolean
}

/**
 * `null` lets it pass. A post to a page would render it, and a `Next-Action` header would wake the deserialiser of
 * server actions, which no page here uses.
 */
export function guardPage({ method, path, hasHeader }: Asked): GuardRefusal | null {
  if (hasHeader('next-action') || !isDecodable(path)) return { status: 400, allow: null }
  if (isHidden(path) || isMisspeltEndpoint(path)) return { status: 404, allow: null }
  if (method === 'GET' || method === 'HEAD' || handledPaths.test(path)) return null
  return { status: 405, allow: 'GET, HEAD' }
}

/** Paths are case-sensitive: `/connect/Token` is not the token endpoint, whatever the method. */
function isMisspeltEndpoint(path: string): boolean {
  return /^\/(connect|\.well-known)\//i.test(path) && !handledPaths.test(path)
}

/** NOTE: Next answers a dynamic segment that it cannot decode with a 500. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch (error) {
    if (error instanceof URIError) return false
    throw error
  }
}

/**
 * Dot files, source maps, and all that the framework has of its own (pages, optimiser, tools) but the built files.
 * NOTE: `%2e%2e` is a dot segment, too: `/x/%2e%2e/admin` is `/admin` to the framework, and would be another path to us.
 */
function isHidden(path: string): boolean {
  if (/^\/(_|%5f)(?!next\/static\/)|\.map$/i.test(path)) return true
  if (/(^|\/|%2f)(\.|%2e){1,2}(\/|%2f|$)/i.test(path)) return true
  return /(^|\/|%2f)\.(?!well-known\/)/i.test(path)
}
