import { hostedFormOf, readPermissionForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { removePermissions } from '#lib/identity/connected-apps.ts'
import { ownSession } from '../../own-session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedFormOf(
  '/account/apps/narrow',
  async posted => {
    const { form, context, services } = posted
    const found = await ownSession(posted, { user: form.one('user') })
    if ('elsewhere' in found) return found.elsewhere
    const { session } = found
    const removal = { session, clientId: form.one('client_id') ?? '', scopes: form.all('scope') }
    const outcome = await removePermissions(services.ports, removal, context)
    return seeOther(`/account?done=${outcome === 'removed' ? 'narrowed' : outcome}`)
  },
  readPermissionForm,
)
