/** How one client came to be what it is, with the way back to each version, also when it was deleted. */
import { documentOf } from '#lib/admin/clients/client-document.ts'
import { readClient } from '#lib/admin/clients/read-clients.ts'
import { historyOf } from '#lib/admin/configuration/history.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { withAdminErrors } from '../../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../../admin-page.ts'
import { callUseCase } from '../../../call-use-case.ts'
import { Gone } from '../../../resource/gone.tsx'
import { History } from '../../../resource/history.tsx'
import { clientPath } from '../../../resource/paths.ts'
import { restrictClientToOwners } from '../../../restrict-to-owners.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { ClientFrame } from '../../client-frame.tsx'

export default withAdminErrors(ClientHistoryPage)

async function ClientHistoryPage(input: DetailInput) {
  const id = await idOf(input)
  const page = await requireAdminPage('clients:read', clientPath(id, 'history'), input)
  const clientId = clientIdSchema.safeParse(id)
  const stored = clientId.success ? await page.ports.adminLists.client(clientId.data) : null
  const entries = await historyOf(page.ports, { kind: 'client', id })
  const restore = { useCase: 'clients.restore', permission: 'configuration:restore' } as const
  if (stored === null && entries.length > 0)
    return (
      <Gone
        page={page}
        name={id}
        back={{ name: 'Deleted clients', href: '/admin/clients/deleted' }}
        advice="It comes back with its settings. Its secrets, and what it held, were deleted for good: add a secret afterwards."
      >
        <History
          page={page}
          entries={entries}
          current={null}
          restore={{ ...restore, hidden: { client_id: id, version: 0 } }}
        />
      </Gone>
    )
  const client = await callUseCase(page, readClient, { client_id: id })
  return (
    <ClientFrame page={page} client={client} tab="history">
      <History
        page={await restrictClientToOwners(page, client)}
        entries={entries}
        current={documentOf(client)}
        restore={{ ...restore, hidden: { client_id: id, version: client.version } }}
      />
    </ClientFrame>
  )
}
