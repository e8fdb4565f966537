import { hostedFormOf, readPermissionForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { removePermissions } from '#lib/identity/connected-apps.ts'
import { currentSession } from '#lib/identity/session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedFormOf(
  '/account/apps/narrow',
  async ({ form, cookies, context, services }) => {
    const session = await currentSession(services.ports, cookies.session)
    if (session === null) return seeOther('/login')
    const removal = { session, clientId: form.one('client_id') ?? '', scopes: form.all('scope') }
    const outcome = await removePermissions(services.ports, removal, context)
    return seeOther(`/account?done=${outcome === 'removed' ? 'narrowed' : outcome}`)
  },
  readPermissionForm,
)
