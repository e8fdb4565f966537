/** Unknown pages; without a session they redirect to the sign-in like existing ones. */
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
  // The address that users guess for a request ID
  if (area === 'events' && more.length === 0 && requestId !== null) redirect(requestTracePath(requestId))
  throw new PageRefusal(
    'unknown_page',
    await requireAdminPage('overview:read', `/admin/${rest.join('/')}`, input),
  )
}
