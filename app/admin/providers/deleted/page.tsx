/** Identity providers that were deleted. */
import type { PageInput } from '#app/_ui/visit.ts'
import { deletedOnes } from '#lib/admin/configuration/history.ts'
import { storedProvider } from '#lib/admin/providers/provider-view.ts'
import { providerSchemeSchema } from '#lib/protocol/ids.ts'
import { withAdminErrors } from '../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../admin-page.ts'
import { DeletedList } from '../../resource/deleted-list.tsx'
import { providerPath } from '../../resource/paths.ts'

export default withAdminErrors(DeletedProvidersPage)

async function DeletedProvidersPage(input: PageInput) {
  const page = await requireAdminPage('providers:read', '/admin/providers/deleted', input)
  const isThere = async (id: string) =>
    (await storedProvider(page.ports, providerSchemeSchema.parse(id))) !== null
  return (
    <DeletedList
      page={page}
      title="Deleted identity providers"
      back={{ name: 'Identity providers', href: '/admin/providers' }}
      rows={await deletedOnes(page.ports, 'provider', isThere)}
      hrefOf={id => providerPath(id, 'history')}
    />
  )
}
