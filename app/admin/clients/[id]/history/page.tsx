/** How one client came to be what it is, with the way back to each version. */
import { readClient } from '#lib/admin/clients/read-clients.ts'
import { historyOf } from '#lib/admin/configuration/history.ts'
import { History } from '../../../_ui/history.tsx'
import { adminPage } from '../../../admin-page.ts'
import { readThrough } from '../../../read-through.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { ClientFrame } from '../../client-frame.tsx'
import { clientPath } from '../../paths.ts'

export default async function ClientHistoryPage(input: DetailInput) {
  const id = await idOf(input)
  const page = await adminPage('clients:read', clientPath(id, 'history'), input)
  const client = await readThrough(page, readClient, { client_id: id })
  const entries = await historyOf(page.ports, { kind: 'client', id })
  const restore = { useCase: 'clients.restore', hidden: { client_id: id, version: client.version } }
  return (
    <ClientFrame page={page} client={client} tab="history">
      <History page={page} entries={entries} restore={restore} />
    </ClientFrame>
  )
}
