/** Nothing has this address; who is not signed in does not learn even that. */
import { redirect } from 'next/navigation'
import type { PageInput } from '#app/_ui/visit.ts'
import { withAdminErrors } from '../_ui/refused-page.tsx'
import { PageRefusal, requireAdminPage } from '../admin-page.ts'
import { requestTracePath } from '../events/paths.ts'

type NowhereInput = PageInput & { readonly params: Promise<{ readonly rest: readonly string[] }> }

export default withAdminErrors(NowherePage)

async function NowherePage(input: NowhereInput): Promise<never> {
  const { rest } = await input.params
  const [area, reference, ...more] = rest
  // The address that people guess for the reference of a log line, in whatever letters
  if (area === 'events' && more.length === 0 && /^[0-9a-z]{4}-[0-9a-z]{4}$/i.test(reference ?? ''))
    redirect(requestTracePath((reference ?? '').toUpperCase()))
  throw new PageRefusal('address', await requireAdminPage('overview:read', `/admin/${rest.join('/')}`, input))
}
