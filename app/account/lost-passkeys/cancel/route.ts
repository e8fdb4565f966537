/** Keeps passkeys that were reported lost. */
import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { cancelLostPasskeys } from '#lib/identity/passkeys/lost-passkeys.ts'
import { lostPasskeysPath } from '#lib/protocol/wire/local-paths.ts'
import { ownSession } from '../../own-session.ts'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  `${lostPasskeysPath}/cancel`,
  async posted => {
    const { form, services, context } = posted
    const found = await ownSession(posted, { user: form.user ?? null })
    if ('elsewhere' in found) return found.elsewhere
    await cancelLostPasskeys(services.ports, found.session, context)
    return seeOther('/account?done=passkeys_kept')
  },
)
