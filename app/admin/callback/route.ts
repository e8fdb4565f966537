import { pageRoute } from '#app/routes.ts'
import { finishSignIn } from '#lib/admin/access/sign-in.ts'
import { notAnAdministratorReply, signInFailedReply } from '#lib/http/admin-access-page.ts'
import { adminCookie, cookie, cookieNames, readCookie } from '#lib/http/cookies.ts'
import { landingReply } from '#lib/http/page-frame.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { withCookies } from '#lib/http/reply.ts'
import { endedSetUpAttemptCookie } from '#lib/http/step-cookies.ts'
import { currentSession } from '#lib/identity/session.ts'

/** Receives the authorization response of a sign-in to the dashboard. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/admin/callback', {
  getChangesState: true,
  GET: async exchange => {
    const { request, cookies, context, services } = exchange
    const { issuer, siteName } = services.config
    const name = cookieNames(issuer).adminSignInState
    const entry = await finishSignIn(
      services.admin,
      {
        parameters: readQuery(request),
        request: readCookie(request.headers.get('cookie'), name),
        replaced: cookies.admin,
      },
      context,
    )
    const ended = cookie(name, '', { issuer, maxAgeSeconds: 0 })
    const visitor = { siteName, requestId: context.requestId, theme: cookies.theme }
    if (entry.kind === 'failed') {
      const failed = { name: 'admin_refused', outcome: 'failure', reason: 'admin_sign_in_failed' } as const
      services.admin.events.record(failed, context)
      return withCookies(signInFailedReply(visitor), [ended])
    }
    if (entry.kind === 'not_an_administrator') {
      const session = await currentSession(services.ports, cookies.session)
      return withCookies(notAnAdministratorReply({ ...visitor, name: session?.name ?? null }), [ended])
    }
    return withCookies(landingReply(exchange, entry.back), [
      ended,
      endedSetUpAttemptCookie(issuer),
      adminCookie(entry.session, issuer),
    ])
  },
})
