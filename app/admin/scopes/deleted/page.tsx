/** Scopes that were deleted. */
import type { PageInput } from '#app/_ui/visit.ts'
import { deletedOnes } from '#lib/admin/configuration/history.ts'
import { scopeNameSchema } from '#lib/protocol/ids.ts'
import { withAdminErrors } from '../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../admin-page.ts'
import { DeletedList } from '../../resource/deleted-list.tsx'
import { scopePath } from '../../resource/paths.ts'

export default withAdminErrors(DeletedScopesPage)

async function DeletedScopesPage(input: PageInput) {
  const page = await requireAdminPage('scopes:read', '/admin/scopes/deleted', input)
  const isThere = async (id: string) =>
    (await page.ports.adminLists.scope(scopeNameSchema.parse(id))) !== null
  return (
    <DeletedList
      page={page}
      title="Deleted scopes"
      back={{ name: 'Scopes', href: '/admin/scopes' }}
      rows={await deletedOnes(page.ports, 'scope', isThere)}
      hrefOf={id => scopePath(id, 'history')}
    />
  )
}
