import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { revokeApp } from '#lib/identity/connected-apps.ts'
import { ownSession } from '../../own-session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/account/apps/revoke',
  async posted => {
    const { form, context, services } = posted
    const { client_id: clientId = '', user = null } = form
    const found = await ownSession(posted, { user })
    if ('elsewhere' in found) return found.elsewhere
    const { session } = found
    const outcome = await revokeApp(services.ports, { session, clientId }, context)
    return seeOther(outcome === 'revoked' ? '/account?done=revoked' : '/account')
  },
)
