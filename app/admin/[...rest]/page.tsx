/** Refuses unknown pages, except an address that resembles that of a request trace: it redirects to the trace. */
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
  if (area === 'events' && more.length === 0 && requestId !== null) redirect(requestTracePath(requestId))
  throw new PageRefusal(
    'unknown_page',
    await requireAdminPage('overview:read', `/admin/${rest.join('/')}`, input),
  )
}
