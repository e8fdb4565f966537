import { currentAdminSession, type SignedInAdmin } from '#lib/admin/access/admin-session.ts'
import { storePageState } from '#lib/admin/access/page-state.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import type { AdminResult } from '#lib/admin/admin-result.ts'
import { type Begun, beginClientTest } from '#lib/admin/clients/client-test/begin-client-test.ts'
import { nameInSegment } from '#lib/admin/page-segment.ts'
import { bodyBytes } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readFormPairs } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { openServices } from '#lib/server/services.ts'
import { clientPath } from '../../../../resource/paths.ts'

/** "Run the test": sends the admin to the authorization endpoint, or to the result. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/admin/clients/[id]/test/start',
  writeRefusal: refuseWithPage,
  POST: async ({ request, cookies, context, segments, services: { admin, config } }) => {
    requireSameOrigin(request, config.issuer)
    const signedIn = await currentAdminSession(admin, cookies.admin)
    if (signedIn === null) return seeOther('/admin/sign-in')
    const clientId = nameInSegment(segments.id ?? '')
    const form = Object.fromEntries(await readFormPairs(request, bodyBytes.admin))
    const { actor, session } = signedIn
    const secret = { client_id: clientId, client_secret: form.client_secret ?? '' }
    const input = { ...secret, admin_session: session.digest, session_id: session.sessionId }
    const begun = await beginClientTest.call(admin, input, { actor, context })
    return seeOther(await addressAfter(admin, { signedIn, clientId, begun }))
  },
})

type Answered = {
  readonly signedIn: SignedInAdmin
  readonly clientId: string
  readonly begun: AdminResult<Begun>
}

async function addressAfter(ports: AdminPorts, { signedIn, clientId, begun }: Answered): Promise<string> {
  const page = clientPath(clientId, 'test')
  const useCase = beginClientTest.name
  switch (begun.kind) {
    case 'ok': {
      if (begun.value.kind === 'leave') return begun.value.url
      const value = JSON.parse(JSON.stringify(begun.value.result))
      const shown = await storePageState(ports, signedIn.session, { kind: 'one_time_result', useCase, value })
      return `${page}?${new URLSearchParams({ shown })}`
    }
    case 'invalid': {
      const errors = [...begun.errors]
      const left = { kind: 'rejected_form', useCase, fields: {}, errors, conflict: null } as const
      return `${page}?${new URLSearchParams({ draft: await storePageState(ports, signedIn.session, left) })}`
    }
    case 'denied':
      throw new OauthError('admin_not_allowed', { description: begun.reason })
    default:
      throw new OauthError('admin_target_unknown')
  }
}
