import { pageRoute } from '#app/routes.ts'
import { currentAdminSession } from '#lib/admin/access/admin-session.ts'
import { nameInSegment, providerPath } from '#lib/admin/page-paths.ts'
import { finishProviderTest } from '#lib/admin/providers/provider-test.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { formOf, respondToForm } from '../../../../do/posted-form.ts'

/**
 * Ends a test sign-in. The callback of the provider redirects here through a page of this site, so that the browser sends the
 * cookie of the admin session.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute(
  '/admin/providers/[id]/test/return',
  {
    getChangesState: true,
    GET: async ({ request, cookies, context, segments, services: { admin } }) => {
      const signedIn = await currentAdminSession(admin, cookies)
      if (signedIn === null) return seeOther('/admin/sign-in')
      const scheme = nameInSegment(segments.id ?? '')
      const test = { scheme, parameters: readQuery(request) }
      const result = await finishProviderTest.call(admin, test, { ...signedIn, context })
      const form = formOf(providerPath(scheme, 'test'))
      const { session } = signedIn
      return seeOther(await respondToForm(admin, { session, useCase: finishProviderTest, form, result }))
    },
  },
)
