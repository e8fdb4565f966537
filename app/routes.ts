/** Creates routes by the form of their refusals: pages for users, JSON for programs. */
import { type EndpointOptions, endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { refuseWithJson } from '#lib/http/respond-json.ts'
import { openServices, type Services } from '#lib/server/services.ts'

type RouteOptions = Omit<EndpointOptions<Services>, 'pattern' | 'writeRefusal'>

export function pageRoute(pattern: string, options: RouteOptions) {
  return endpoint(openServices, { pattern, writeRefusal: refuseWithPage, ...options })
}

export function jsonRoute(pattern: string, options: RouteOptions) {
  return endpoint(openServices, { pattern, writeRefusal: refuseWithJson, ...options })
}
