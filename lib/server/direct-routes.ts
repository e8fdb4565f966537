/**
 * The paths that our own server answers without Next, many times faster, from the very same route files.
 * What is not listed, or not spelled exactly so, goes to Next.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import * as jwks from '#app/.well-known/jwks/route.ts'
import * as oauthMetadata from '#app/.well-known/oauth-authorization-server/route.ts'
import * as openidMetadata from '#app/.well-known/openid-configuration/route.ts'
import * as accessTokenValidation from '#app/connect/accesstokenvalidation/route.ts'
import * as resume from '#app/connect/authorize/resume/route.ts'
import * as authorize from '#app/connect/authorize/route.ts'
import * as endSession from '#app/connect/endsession/route.ts'
import * as identityTokenValidation from '#app/connect/identitytokenvalidation/route.ts'
import * as introspect from '#app/connect/introspect/route.ts'
import * as revocation from '#app/connect/revocation/route.ts'
import * as token from '#app/connect/token/route.ts'
import * as userinfo from '#app/connect/userinfo/route.ts'
import * as health from '#app/healthz/route.ts'
import * as ready from '#app/readyz/route.ts'

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown

/** Every method has the same handler; the endpoint picks by the request's own. */
type RouteFile = { readonly GET: (request: Request, route: object) => Promise<Response> }

const routes: ReadonlyArray<readonly [path: string, route: RouteFile]> = [
  ['/connect/token', token],
  ['/connect/accesstokenvalidation', accessTokenValidation],
  ['/connect/identitytokenvalidation', identityTokenValidation],
  ['/connect/introspect', introspect],
  ['/connect/userinfo', userinfo],
  ['/connect/revocation', revocation],
  ['/connect/authorize', authorize],
  ['/connect/authorize/resume', resume],
  ['/connect/endsession', endSession],
  ['/.well-known/openid-configuration', openidMetadata],
  ['/.well-known/oauth-authorization-server', oauthMetadata],
  ['/.well-known/jwks', jwks],
  ['/healthz', health],
  ['/readyz', ready],
]

export function directRoutes(): ReadonlyMap<string, Listener> {
  return new Map(routes.map(([path, route]) => [path, getRequestListener(request => route.GET(request, {}))]))
}
