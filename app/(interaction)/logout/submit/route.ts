import { hostedForm } from '#app/_ui/hosted-route.ts'
import { openSignOutRequest } from '#lib/core/logout/end-session.ts'
import { endedSessionCookie } from '#lib/http/cookies.ts'
import { encodeForm } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { endedFields } from '#lib/http/respond-end-session.ts'
import { currentSession, signOut } from '#lib/identity/session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/logout/submit',
  async ({ form: { request: sealed }, cookies, context, services }) => {
    const session = await currentSession(services.ports, cookies.session)
    await signOut(services.ports, { session: cookies.session }, context)
    const redirect = openSignOutRequest(services.ports, sealed ?? null)?.redirect ?? null
    const query = encodeForm([
      ...(sealed === undefined ? [] : [['request', sealed] as const]),
      ...endedFields(session?.idp ?? null),
    ])
    return seeOther(redirect ?? `/logout/done?${query}`, [endedSessionCookie(services.config.issuer)])
  },
)
