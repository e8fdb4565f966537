import { pageRoute } from '#app/routes.ts'
import { type AdminCookies, peekAdminSession } from '#lib/admin/access/admin-session.ts'
import { startSignIn } from '#lib/admin/access/sign-in.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import { adminSession } from '#lib/config/limits.ts'
import { noAdministratorReply } from '#lib/http/admin-access-page.ts'
import { cookie, cookieNames } from '#lib/http/cookies.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { emptyReply, seeOther } from '#lib/http/reply.ts'

/** Redirects an admin to the authorization endpoint, since the dashboard is a client of this server. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/admin/sign-in', {
  getChangesState: true,
  GET: async ({ request, cookies, services: { admin, config } }) => {
    // Next's script requested a page here. After an empty response, the script loads this address as a document
    if (request.headers.has('rsc')) return emptyReply(204)
    const { issuer, siteName, isLoopback } = config
    if (isLoopback && (await admin.administrators.all()).length === 0) {
      return noAdministratorReply({ siteName, theme: cookies.theme })
    }
    const { back = null, again, as } = readQuery(request)
    const isNewcomer = as === 'newcomer'
    const loginHint = isNewcomer ? null : await userNameOfAdmin(admin, cookies)
    const { sealed, location } = startSignIn(admin, {
      back,
      isFreshSignIn: again === 'yes' || isNewcomer,
      loginHint,
    })
    const options = { issuer, maxAgeSeconds: adminSession.departureSeconds }
    return seeOther(location, [cookie(cookieNames(issuer).adminSignInState, sealed, options)])
  },
})

/** The user name for the login hint; `null` without an admin session, or without a password: the name may then be generated. */
async function userNameOfAdmin(admin: AdminPorts, cookies: AdminCookies): Promise<string | null> {
  const signedIn = await peekAdminSession(admin, cookies)
  const known = signedIn && (await admin.users.findBySubject(signedIn.actor.subject))
  return known?.passwordHash ? known.username : null
}
