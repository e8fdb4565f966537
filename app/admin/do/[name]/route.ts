import { pageRoute } from '#app/routes.ts'
import { currentAdminSession, typedSecrets } from '#lib/admin/access/admin-session.ts'
import { findUseCase } from '#lib/admin/use-cases.ts'
import { bodyBytes } from '#lib/config/limits.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { readFormPairs } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { requireSameOrigin } from '#lib/http/same-origin.ts'
import { readPostedForm, respondToForm, withSecrets } from '../posted-form.ts'

/**
 * Handles the forms that `AdminForm` renders: checks the session, calls one use case and redirects to a page. `[name]` is the
 * name of the use case, such as `clients.update` for `updateClient`.
 */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = pageRoute('/admin/do/[name]', {
  POST: async ({ request, cookies, context, segments, services: { admin, config } }) => {
    requireSameOrigin(request, config.issuer)
    const signedIn = await currentAdminSession(admin, cookies)
    if (signedIn === null) return seeOther('/admin/sign-in')
    const useCase = findUseCase(segments.name ?? '')
    if (useCase === null)
      throw new OauthError('use_case_unknown', { description: 'The dashboard has no such action.' })
    const posted = readPostedForm(await readFormPairs(request, bodyBytes.admin))
    const typed = { handle: posted.rejectedForm, useCase: useCase.name }
    const form = withSecrets(posted, await typedSecrets(admin, signedIn.session, typed))
    const result = await useCase.call(admin, useCase.fromForm(form.fields), {
      ...signedIn,
      context,
    })
    return seeOther(await respondToForm(admin, { session: signedIn.session, useCase, form, result }))
  },
})
