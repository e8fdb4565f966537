/** Measures requests where they are logged, so that a request without metrics costs nothing more. */
import type { RequestLine } from '#lib/protocol/request-context.ts'
import { otherValue } from './catalog.ts'
import type { Registry } from './registry.ts'

const name = 'http.server.request.duration'

/** OpenTelemetry's value for a method that is not in the list. */
const otherMethod = '_OTHER'
const methods = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', otherMethod]
const statuses = [
  200, 201, 204, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 503,
]

const exactRoutes: ReadonlySet<string> = new Set([
  '/.well-known/jwks',
  '/.well-known/openid-configuration',
  '/connect/accesstokenvalidation',
  '/connect/authorize',
  '/connect/authorize/resume',
  '/connect/endsession',
  '/connect/identitytokenvalidation',
  '/connect/introspect',
  '/connect/revocation',
  '/connect/token',
  '/connect/userinfo',
  '/consent',
  '/healthz',
  '/login',
  '/logout',
  '/metrics',
  '/readyz',
])
/** The beginnings of routes that are counted together. */
const groups = ['/login/', '/logout/', '/account/', '/admin/', '/api/admin/', '/.well-known/', '/playground/']

/** Returns the route of a log line as a label: a route, a group of routes, or `_other`. */
export function routeLabel(pattern: string): string {
  if (exactRoutes.has(pattern)) return pattern
  const group = groups.find(each => `${pattern}/`.startsWith(each))
  return group === undefined ? otherValue : `${group}*`
}

/** The statuses of requests that no route handled: any client can send them to every address. */
const unhandled: ReadonlySet<number> = new Set([404, 405, 501])

/** Creates the recorder of requests. `scheme`: the scheme of the issuer. */
export function createRequestRecorder(registry: Registry, scheme: string): (line: RequestLine) => void {
  const slotsOfRoutes = new Map<string, Int32Array>()
  const methodPlaces = new Map(methods.map((method, place) => [method, place]))
  const statusPlaces = new Map(statuses.map((status, place) => [status, place]))
  const width = statuses.length + 1
  const slotsOf = (pattern: string) => {
    const slots = slotsOfRoutes.get(pattern) ?? new Int32Array(methods.length * width).fill(-1)
    slotsOfRoutes.set(pattern, slots)
    return slots
  }
  return ({ method, pattern, status, durationMs }) => {
    const slots = slotsOfRoutes.get(pattern) ?? slotsOf(pattern)
    const methodPlace = methodPlaces.get(method) ?? methods.length - 1
    const statusPlace = statusPlaces.get(status) ?? statuses.length
    const place = methodPlace * width + statusPlace
    let slot = slots[place] ?? -1
    if (slot === -1) {
      const route = unhandled.has(status) ? otherValue : routeLabel(pattern)
      slot = registry.find(name, [
        methods[methodPlace] ?? otherMethod,
        scheme,
        route,
        String(statuses[statusPlace] ?? otherValue),
      ])
      slots[place] = slot
    }
    registry.observe(name, slot, durationMs / 1000)
  }
}
