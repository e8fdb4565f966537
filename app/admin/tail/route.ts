import { peekAdminSession } from '#lib/admin/access/admin-session.ts'
import { may } from '#lib/admin/access/permissions.ts'
import { countNewer, searchEvents } from '#lib/admin/events/read-events.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { jsonReply } from '#lib/http/reply.ts'
import { refuseWithProblem } from '#lib/http/respond-problem.ts'
import { openServices } from '#lib/server/services.ts'

/** Sends the number of new events, for the live tail of the list. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/admin/tail',
  writeRefusal: refuseWithProblem,
  GET: async ({ request, cookies, services: { admin } }) => {
    const signedIn = await peekAdminSession(admin, cookies)
    if (signedIn === null || !may(signedIn.actor.role, 'events:read'))
      throw new OauthError('admin_session_missing')
    const { newest = '', ...query } = readQuery(request)
    const { filter } = await searchEvents(admin, query, signedIn.actor.role)
    return jsonReply(200, { newer: await countNewer(admin, filter, newest) })
  },
})
