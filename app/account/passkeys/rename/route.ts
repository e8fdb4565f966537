import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { renamePasskey } from '#lib/identity/passkeys/own-passkeys.ts'
import { ownSession } from '../../own-session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/account/passkeys/rename',
  async posted => {
    const { id = '', name = '', user = null } = posted.form
    const found = await ownSession(posted, { user, back: '/account/passkeys' })
    if ('elsewhere' in found) return found.elsewhere
    const isRenamed = await renamePasskey(posted.services.ports, found.session, { id, name })
    return seeOther(isRenamed ? '/account/passkeys?done=renamed' : '/account/passkeys')
  },
)
