/** What one client holds, and what happened with it. */
import { readClient } from '#lib/admin/clients/read-clients.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { withAdminErrors } from '../../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../../admin-page.ts'
import { callUseCase } from '../../../call-use-case.ts'
import { RecentEvents } from '../../../events/recent-events.tsx'
import { clientPath } from '../../../resource/paths.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { AccessSections } from '../../../sessions/access-lists.tsx'
import { ClientFrame } from '../../client-frame.tsx'

export default withAdminErrors(ClientAccessPage)

async function ClientAccessPage(input: DetailInput) {
  const id = await idOf(input)
  const page = await requireAdminPage('clients:read', clientPath(id, 'access'), input)
  const client = await callUseCase(page, readClient, { client_id: id })
  return (
    <ClientFrame page={page} client={client} tab="access">
      <AccessSections page={page} subject={null} clientId={clientIdSchema.parse(id)} />
      <RecentEvents page={page} filter={{ clientId: id }} />
    </ClientFrame>
  )
}
