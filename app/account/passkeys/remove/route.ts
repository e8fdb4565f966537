import { hostedForm } from '#app/_ui/hosted-route.ts'
import { seeOther } from '#lib/http/reply.ts'
import { removePasskey } from '#lib/identity/passkeys/own-passkeys.ts'
import { freshSession } from '../../fresh-session.ts'

/** Removes a passkey, after a fresh sign-in (MF-04). The user then presses the button again. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/account/passkeys/remove',
  async exchange => {
    const { form, context, services } = exchange
    const found = await freshSession(exchange, '/account/passkeys')
    if ('elsewhere' in found) return found.elsewhere
    const removal = { session: found.session, id: form.id ?? '' }
    const outcome = await removePasskey(services.ports, removal, context)
    return seeOther(outcome === 'unknown' ? '/account/passkeys' : `/account/passkeys?done=${outcome}`)
  },
)
