/** Clients that were deleted. */
import type { PageInput } from '#app/_ui/visit.ts'
import { deletedOnes } from '#lib/admin/configuration/history.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { withAdminErrors } from '../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../admin-page.ts'
import { DeletedList } from '../../resource/deleted-list.tsx'
import { clientPath } from '../../resource/paths.ts'

export default withAdminErrors(DeletedClientsPage)

async function DeletedClientsPage(input: PageInput) {
  const page = await requireAdminPage('clients:read', '/admin/clients/deleted', input)
  const isThere = async (id: string) =>
    (await page.ports.adminLists.client(clientIdSchema.parse(id))) !== null
  return (
    <DeletedList
      page={page}
      title="Deleted clients"
      back={{ name: 'Clients', href: '/admin/clients' }}
      rows={await deletedOnes(page.ports, 'client', isThere)}
      hrefOf={id => clientPath(id, 'history')}
    />
  )
}
