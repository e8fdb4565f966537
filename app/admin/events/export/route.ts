import { currentAdminSession } from '#lib/admin/access/admin-session.ts'
import { exportEvents } from '#lib/admin/events/export-events.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { services } from '#lib/server/services.ts'
import { freshSignInPath, signInPath } from '../../sign-in/sign-in-path.ts'

/** The events of the filter as a file to keep. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(services, {
  pattern: '/admin/events/export',
  refuse: refuseWithPage,
  getChangesState: true,
  GET: async ({ request, cookies, context, services: { admin } }) => {
    const query = readQuery(request)
    const back = `/admin/events?${new URLSearchParams(query)}`
    const visit = await currentAdminSession(admin, cookies.admin)
    if (visit === null) return seeOther(signInPath(back))
    const result = await exportEvents.call(admin, { query }, { actor: visit.actor, context })
    if (result.kind === 'step_up') return seeOther(freshSignInPath(back))
    if (result.kind === 'denied') throw new OauthError('access_denied', 'admin_not_allowed', result.reason)
    if (result.kind !== 'ok') return seeOther(back)
    return {
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="events.csv"',
      },
      cookies: [],
      body: result.value.csv,
    }
  },
})
