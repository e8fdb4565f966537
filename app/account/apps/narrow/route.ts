/** Saves which permissions an app keeps. */
import { hostedFormOf, readPermissionForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { keepPermissions } from '#lib/identity/connected-apps.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { ownSession } from '../../own-session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedFormOf(
  '/account/apps/narrow',
  async posted => {
    const { form, context, services } = posted
    const found = await ownSession(posted, { user: form.one('user') })
    if ('elsewhere' in found) return found.elsewhere
    const { session } = found
    const clientId = form.one('client_id') ?? ''
    const choice = { session, clientId, shown: scopeWords(form.one('shown') ?? ''), kept: form.all('scope') }
    return seeOther(`/account?done=${await keepPermissions(services.ports, choice, context)}`)
  },
  readPermissionForm,
)
