/** Refuses unknown pages. Without a session they redirect to the sign-in, as existing pages do. */
import { redirect } from 'next/navigation'
import { requestTracePath } from '#lib/admin/page-paths.ts'
import { readRequestId } from '#lib/protocol/text/request-ids.ts'
import { type PageInput, PageRefusal, requireAdminPage, withAdminErrors } from '../admin-page.tsx'

type UnknownInput = PageInput & { readonly params: Promise<{ readonly rest: readonly string[] }> }

export default withAdminErrors(UnknownPage)

async function UnknownPage(input: UnknownInput): Promise<never> {
  const { rest } = await input.params
  const [area, typed = '', ...more] = rest
  const requestId = readRequestId(typed)
  // Administrators guess this address for a request ID, so it leads to the trace
  if (area === 'events' && more.length === 0 && requestId !== null) redirect(requestTracePath(requestId))
  throw new PageRefusal(
    'unknown_page',
    await requireAdminPage('overview:read', `/admin/${rest.join('/')}`, input),
  )
}
