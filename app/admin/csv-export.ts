/** Makes the route that sends a list of the dashboard as a CSV file, after a fresh sign-in if the export requires one. */
import { z } from 'zod'
import { pageRoute } from '#app/routes.ts'
import { currentAdminSession } from '#lib/admin/access/admin-session.ts'
import type { UseCase } from '#lib/admin/use-case.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { seeOther } from '#lib/http/reply.ts'
import { freshSignInPath, signInPath } from './sign-in/sign-in-path.ts'

const csvSchema = z.object({ csv: z.string() })

/**
 * The route of an export. `list` is the last part of the path of the list's page. The browser returns to that page, with the same
 * query, after a sign-in and if the query is invalid.
 */
export function csvExport(
  list: string,
  useCase: UseCase,
  inputOf: (query: Readonly<Record<string, string>>) => unknown = query => query,
) {
  return pageRoute(`/admin/${list}/export`, {
    getChangesState: true,
    GET: async ({ request, cookies, context, services: { admin } }) => {
      const query = readQuery(request)
      const back = `/admin/${list}?${new URLSearchParams(query)}`
      const session = await currentAdminSession(admin, cookies)
      if (session === null) return seeOther(signInPath(back))
      const result = await useCase.call(admin, inputOf(query), { actor: session.actor, context })
      if (result.kind === 'fresh_sign_in_required') return seeOther(freshSignInPath(back))
      if (result.kind === 'denied') throw new OauthError('admin_not_allowed', { description: result.reason })
      if (result.kind !== 'ok') return seeOther(back)
      return {
        status: 200,
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="${list}.csv"`,
        },
        cookies: [],
        body: csvSchema.parse(result.value).csv,
      }
    },
  })
}
