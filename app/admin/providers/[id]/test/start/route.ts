import { currentAdminSession } from '#lib/admin/access/admin-session.ts'
import { storePageState } from '#lib/admin/access/page-state.ts'
import { nameInSegment } from '#lib/admin/page-segment.ts'
import {
  finishProviderTest,
  type ProviderTestResult,
  startProviderTest,
} from '#lib/admin/providers/provider-test.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { openServices } from '#lib/server/services.ts'
import { providerPath } from '../../../../resource/paths.ts'
import { freshSignInPath } from '../../../../sign-in/sign-in-path.ts'

/** "Test sign-in": sends the admin to the provider, which responds at its usual redirect URI. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/admin/providers/[id]/test/start',
  writeRefusal: refuseWithPage,
  POST: async ({ request, cookies, context, segments, services: { admin, config } }) => {
    requireSameOrigin(request, config.issuer)
    const signedIn = await currentAdminSession(admin, cookies.admin)
    if (signedIn === null) return seeOther('/admin/sign-in')
    const scheme = nameInSegment(segments.id ?? '')
    const page = providerPath(scheme, 'test')
    const { actor, session } = signedIn
    const test = { scheme, visit: session.digest }
    const started = await startProviderTest.call(admin, test, { actor, context })
    switch (started.kind) {
      case 'ok':
        return seeOther(started.value.url)
      case 'step_up':
        return seeOther(freshSignInPath(page))
      case 'denied':
        throw new OauthError('admin_not_allowed', { description: started.reason })
      case 'invalid': {
        const sentence = started.errors[0]?.message ?? ''
        const value: ProviderTestResult = { kind: 'failed', scheme, sentence }
        const flash = { kind: 'one_time_result', useCase: finishProviderTest.name, value } as const
        return seeOther(
          `${page}?${new URLSearchParams({ shown: await storePageState(admin, session, flash) })}`,
        )
      }
      default:
        throw new OauthError('admin_target_unknown')
    }
  },
})
