import { currentAdminSession } from '#lib/admin/access/admin-session.ts'
import { exportConfiguration } from '#lib/admin/configuration/export-configuration.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { endpoint } from '#lib/http/endpoint.ts'
import { refuseWithPage } from '#lib/http/error-page.ts'
import { readForm } from '#lib/http/read-params.ts'
import { jsonReply, seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { openServices } from '#lib/server/services.ts'
import { freshSignInPath, signInPath } from '../../sign-in/sign-in-path.ts'

const back = '/admin/configuration'

/** Sends the configuration as a file. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = endpoint(openServices, {
  pattern: '/admin/configuration/export',
  writeRefusal: refuseWithPage,
  POST: async ({ request, cookies, context, services: { admin, config } }) => {
    requireSameOrigin(request, config.issuer)
    const signedIn = await currentAdminSession(admin, cookies.admin)
    if (signedIn === null) return seeOther(signInPath(back))
    const { users = 'false' } = await readForm(request)
    const result = await exportConfiguration.call(admin, { users }, { actor: signedIn.actor, context })
    if (result.kind === 'fresh_sign_in_required') return seeOther(freshSignInPath(back))
    if (result.kind === 'denied') throw new OauthError('admin_not_allowed', { description: result.reason })
    if (result.kind !== 'ok') return seeOther(back)
    const reply = jsonReply(200, result.value, {
      'content-disposition': 'attachment; filename="configuration.json"',
    })
    return { ...reply, body: `${JSON.stringify(result.value, null, 2)}\n` }
  },
})
