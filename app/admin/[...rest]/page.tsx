/** Nothing has this address; who is not signed in does not learn even that. */
import type { PageInput } from '#app/_ui/visit.ts'
import { inShell } from '../_ui/in-shell.tsx'
import { adminPage, PageRefusal } from '../admin-page.ts'

type NowhereInput = PageInput & { readonly params: Promise<{ readonly rest: readonly string[] }> }

export default inShell(NowherePage)

async function NowherePage(input: NowhereInput): Promise<never> {
  const { rest } = await input.params
  throw new PageRefusal('address', await adminPage('overview:read', `/admin/${rest.join('/')}`, input))
}
