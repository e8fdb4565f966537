/** Receives the browser when it returns from a sign-out at an identity provider. */
import { pageRoute } from '#app/routes.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { finishExternalSignOut } from '#lib/identity/external-sign-out.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute(
  '/logout/external/[scheme]/return',
  {
    getChangesState: true,
    GET: async ({ request, cookies, segments, services }) => {
      const { scheme = '' } = segments
      const { state } = readQuery(request)
      const next = await finishExternalSignOut(services.ports, { scheme, state, browser: cookies.browser })
      return seeOther(next ?? '/logout/done')
    },
  },
)
