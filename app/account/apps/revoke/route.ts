import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/account/apps/revoke',
  async ({ form: { client_id: clientId = '' }, cookies, context, services }) => {
    const session = await services.currentSession(cookies.session)
    if (session === null) return seeOther('/login')
    const outcome = await services.revokeApp({ session, clientId }, context)
    return seeOther(outcome === 'revoked' ? '/account?done=revoked' : '/account')
  },
)
