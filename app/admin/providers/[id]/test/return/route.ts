import { currentAdminSession } from '#lib/admin/access/admin-session.ts'
import { storePageState } from '#lib/admin/access/page-state.ts'
import { nameInSegment } from '#lib/admin/page-segment.ts'
import { finishProviderTest } from '#lib/admin/providers/provider-test.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { openServices } from '#lib/server/services.ts'
import { providerPath } from '../../../../resource/paths.ts'

/** The admin is back from a provider that they tried out: the callback led here, with the visit's own cookie again. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/admin/providers/[id]/test/return',
  writeRefusal: refuseWithPage,
  getChangesState: true,
  GET: async ({ request, cookies, context, segments, services: { admin } }) => {
    const signedIn = await currentAdminSession(admin, cookies.admin)
    if (signedIn === null) return seeOther('/admin/sign-in')
    const scheme = nameInSegment(segments.id ?? '')
    const { actor, session } = signedIn
    const test = { scheme, visit: session.digest, parameters: readQuery(request) }
    const finished = await finishProviderTest.call(admin, test, { actor, context })
    if (finished.kind === 'denied')
      throw new OauthError('admin_not_allowed', { description: finished.reason })
    if (finished.kind !== 'ok') throw new OauthError('admin_target_unknown')
    const value = JSON.parse(JSON.stringify(finished.value))
    const shown = await storePageState(admin, session, {
      kind: 'one_time_result',
      useCase: finishProviderTest.name,
      value,
    })
    return seeOther(`${providerPath(scheme, 'test')}?${new URLSearchParams({ shown })}`)
  },
})
