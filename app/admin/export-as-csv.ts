/** Answers with a list of the dashboard as a CSV file, after a fresh sign-in where one is needed. */
import { currentAdminSession } from '#lib/admin/access/admin-session.ts'
import type { AdminPorts } from '#lib/admin/admin-ports.ts'
import type { AdminResult } from '#lib/admin/admin-result.ts'
import type { Caller } from '#lib/admin/use-case.ts'
import { OauthError } from '#lib/errors/oauth-error.ts'
import type { Exchange } from '#lib/http/exchange.ts'
import { readQuery } from '#lib/http/read-params.ts'
import { type Reply, seeOther } from '#lib/http/reply.ts'
import type { Services } from '#lib/server/services.ts'
import { freshSignInPath, signInPath } from './sign-in/sign-in-path.ts'

type CsvExport = {
  /** The page of the list; the admin comes back to it with the same query. */
  readonly list: string
  readonly file: string
  readonly run: (
    ports: AdminPorts,
    query: Readonly<Record<string, string>>,
    visit: Caller,
  ) => Promise<AdminResult<{ readonly csv: string }>>
}

/** @throws `access_denied` when the role does not permit the export */
export async function exportAsCsv(
  { request, cookies, context, services: { admin } }: Exchange<Services>,
  { list, file, run }: CsvExport,
): Promise<Reply> {
  const query = readQuery(request)
  const back = `${list}?${new URLSearchParams(query)}`
  const visit = await currentAdminSession(admin, cookies.admin)
  if (visit === null) return seeOther(signInPath(back))
  const result = await run(admin, query, { actor: visit.actor, context })
  if (result.kind === 'step_up') return seeOther(freshSignInPath(back))
  if (result.kind === 'denied') throw new OauthError('admin_not_allowed', { description: result.reason })
  if (result.kind !== 'ok') return seeOther(back)
  return {
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${file}"`,
    },
    cookies: [],
    body: result.value.csv,
  }
}
