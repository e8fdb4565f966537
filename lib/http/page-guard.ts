/** What is refused before any page or endpoint sees it (FW-04, FW-06, WF-12). */

export type GuardRefusal = { readonly status: 400 | 404 | 405; readonly allow: string | null }

type Asked = {
  readonly method: string
  /** Without query. */
  readonly path: string
  /** With or without `?`; empty for none. */
  readonly query: string
  readonly hasHeader: (name: string) => boolean
  /** A route file answers the path, and every method of it. Else it is a page of Next's, or a file. */
  readonly hasRoute: boolean
}

/**
 * `null` lets it pass. A post to a page would render it, and a `Next-Action` header would wake the deserialiser of
 * server actions, which no page here uses.
 */
export function guardPage({ method, path, query, hasHeader, hasRoute }: Asked): GuardRefusal | null {
  if (hasHeader('next-action') || !isDecodable(path) || hasNul(path)) return { status: 400, allow: null }
  if (!hasRoute && hasNul(query)) return { status: 400, allow: null }
  if (isHidden(path)) return { status: 404, allow: null }
  if (method === 'GET' || method === 'HEAD' || hasRoute) return null
  return { status: 405, allow: 'GET, HEAD' }
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

/** NOTE: PostgreSQL refuses every statement with a NUL in a text, so no look-up may get one. Endpoints check their own query. */
function hasNul(target: string): boolean {
  return target.includes('%00')
}

/**
 * Dot files, source maps, and all addresses of the framework (pages, optimizer, tools) except the built files. NOTE:
 * `%2e%2e` is also a dot segment: `/x/%2e%2e/admin` is `/admin` to the framework, and would be a different path here.
 */
function isHidden(path: string): boolean {
  if (/^\/(_|%5f)(?!next\/static\/)|\.map$/i.test(path)) return true
  if (/(^|\/|%2f)(\.|%2e){1,2}(\/|%2f|$)/i.test(path)) return true
  return /(^|\/|%2f)\.(?!well-known\/)/i.test(path)
}
