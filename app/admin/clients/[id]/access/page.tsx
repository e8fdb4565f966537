/** What one client holds, and what happened with it. */
import { readClient } from '#lib/admin/clients/read-clients.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { inShell } from '../../../_ui/in-shell.tsx'
import { adminPage } from '../../../admin-page.ts'
import { RecentEvents } from '../../../events/recent-events.tsx'
import { readThrough } from '../../../read-through.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { Holdings } from '../../../sessions/holdings.tsx'
import { ClientFrame } from '../../client-frame.tsx'
import { clientPath } from '../../paths.ts'

export default inShell(ClientAccessPage)

async function ClientAccessPage(input: DetailInput) {
  const id = await idOf(input)
  const page = await adminPage('clients:read', clientPath(id, 'access'), input)
  const client = await readThrough(page, readClient, { client_id: id })
  return (
    <ClientFrame page={page} client={client} tab="access">
      <Holdings page={page} subject={null} clientId={clientIdSchema.parse(id)} />
      <RecentEvents page={page} filter={{ clientId: id }} />
    </ClientFrame>
  )
}
