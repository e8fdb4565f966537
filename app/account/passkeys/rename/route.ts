import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { renamePasskey } from '#lib/identity/passkeys/own-passkeys.ts'
import { currentSession } from '#lib/identity/session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/account/passkeys/rename',
  async ({ form: { id = '', name = '' }, cookies, services }) => {
    const session = await currentSession(services.ports, cookies.session)
    if (session === null) return seeOther('/login')
    const isRenamed = await renamePasskey(services.ports, session, { id, name })
    return seeOther(isRenamed ? '/account/passkeys?done=renamed' : '/account/passkeys')
  },
)
