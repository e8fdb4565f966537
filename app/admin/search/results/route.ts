import { currentAdminSession } from '#lib/admin/access/admin-session.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { jsonReply } from '#lib/http/reply.ts'
import { refuseWithProblem } from '#lib/http/respond-problem.ts'
import { openServices } from '#lib/server/services.ts'
import { readResults, searchText } from '../read-results.ts'

/** Sends the results of a search as JSON, for the palette. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/admin/search/results',
  writeRefusal: refuseWithProblem,
  GET: async ({ request, cookies, services: { admin } }) => {
    const session = await currentAdminSession(admin, cookies)
    if (session === null) throw new OauthError('admin_session_missing')
    const { groups, reason } = await readResults(admin, session.actor.role, searchText(readQuery(request).q))
    return jsonReply(200, { groups, reason })
  },
})
