import { hostedForm } from '#app/_ui/hosted-route.ts'
import { currentAdminSession } from '#lib/admin/access/admin-session.ts'
import { exportConfiguration } from '#lib/admin/configuration/export-configuration.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { jsonReply, seeOther } from '#lib/http/reply.ts'
import { freshSignInPath, signInPath } from '../../sign-in/sign-in-path.ts'

const back = '/admin/configuration'

/** Sends the configuration as a file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = hostedForm(
  '/admin/configuration/export',
  async ({ form: { users = 'false' }, cookies, context, services: { admin } }) => {
    const signedIn = await currentAdminSession(admin, cookies)
    if (signedIn === null) return seeOther(signInPath(back))
    const result = await exportConfiguration.call(admin, { users }, { actor: signedIn.actor, context })
    if (result.kind === 'fresh_sign_in_required') return seeOther(freshSignInPath(back))
    if (result.kind === 'denied') throw new OauthError('admin_not_allowed', { description: result.reason })
    if (result.kind !== 'ok') return seeOther(back)
    const reply = jsonReply(200, result.value, {
      'content-disposition': 'attachment; filename="configuration.json"',
    })
    return { ...reply, body: `${JSON.stringify(result.value, null, 2)}\n` }
  },
)
