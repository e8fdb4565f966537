import { answerApi } from '#lib/admin/api/answer.ts'
import { openapiDocument } from '#lib/admin/api/openapi.ts'
import { problem } from '#lib/admin/api/problem.ts'
import { apiRoot } from '#lib/admin/api/root.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { readFilters, readJson } from '#lib/http/read-params.ts'
import { emptyReply, jsonReply, type Reply } from '#lib/http/reply.ts'
import { apiChallenge, problemReply, refuseWithProblem } from '#lib/http/respond-problem.ts'
import { adminScope } from '#lib/protocol/admin-role.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import { openServices, type Services } from '#lib/server/services.ts'

/** Handles every request below `/api/admin`. Only bearer tokens authenticate a caller; cookies are ignored. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/api/admin/[...path]',
  writeRefusal: refuseWithProblem,
  GET: answer,
  POST: answer,
  PUT: answer,
  PATCH: answer,
  DELETE: answer,
})

async function answer({ request, context, services }: Exchange<Services>): Promise<Reply> {
  const path = pathOf(request)
  if (path === '/openapi.json') return describe(services, request.method, context)
  const caller = await services.adminCaller(request.headers.get('authorization'), context)
  if (caller.kind === 'refused') {
    const kind = caller.isKnown ? 'denied' : 'unauthorized'
    const described = problem(kind, { detail: caller.detail, requestId: context.requestId })
    const isChallenged = !caller.isKnown || caller.error !== null
    return problemReply(described, isChallenged ? apiChallenge(caller.error, adminScope) : {})
  }
  const answered = await answerApi(
    services.admin,
    {
      actor: caller.actor,
      request: {
        method: request.method === 'HEAD' ? 'GET' : request.method,
        path,
        query: readFilters(request),
        body: await readJson(request),
        ifMatch: request.headers.get('if-match'),
      },
    },
    context,
  )
  if (answered.kind === 'problem') {
    return problemReply(answered.problem, named('allow', answered.allow.join(', ')))
  }
  const etag = named('etag', answered.version === null ? '' : `"${answered.version}"`)
  return answered.status === 204 ? emptyReply(204) : jsonReply(answered.status, answered.value, etag)
}

/** Sends the OpenAPI document, which is public. The issuer is the only fact about this installation in it. */
function describe({ config, admin }: Services, method: string, context: RequestContext): Reply {
  if (method === 'GET' || method === 'HEAD') return jsonReply(200, openapiDocument(config.issuer))
  const details = { endpoint: `${apiRoot}/openapi.json`, method }
  const refused = {
    name: 'request_refused',
    outcome: 'failure',
    reason: 'api_method_not_allowed',
    details,
  } as const
  admin.events.record(refused, context)
  const { requestId } = context
  const described = problem('method_not_allowed', { detail: 'Use GET or HEAD.', requestId })
  return problemReply(described, { allow: 'GET, HEAD' })
}

function named(header: string, value: string): Readonly<Record<string, string>> {
  return value === '' ? {} : { [header]: value }
}

/** The path below the root of the API. NOTE: the origin in `request.url` differs between Next and the server's direct routes. */
function pathOf(request: Request): string {
  return new URL(request.url).pathname.slice(apiRoot.length)
}
