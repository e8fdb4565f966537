/** Every setting of one client, and what cannot be taken back. */
import { readClient } from '#lib/admin/clients/read-clients.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { withAdminErrors } from '../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../admin-page.ts'
import { callUseCase } from '../../call-use-case.ts'
import { clientPath } from '../../resource/paths.ts'
import { restrictClientToOwners } from '../../restrict-to-owners.ts'
import { type DetailInput, idOf } from '../../segments.ts'
import { ClientFrame } from '../client-frame.tsx'
import { EndClient } from '../end-client.tsx'
import { SettingsForm } from '../settings-form.tsx'

export default withAdminErrors(ClientPage)

async function ClientPage(input: DetailInput) {
  const id = await idOf(input)
  const opened = await requireAdminPage('clients:read', clientPath(id), input)
  const client = await callUseCase(opened, readClient, { client_id: id })
  const page = await restrictClientToOwners(opened, client)
  const usage = await page.ports.adminLists.usage(
    { subject: null, clientId: clientIdSchema.parse(id) },
    page.now,
  )
  return (
    <ClientFrame page={page} client={client} tab="">
      <SettingsForm page={page} client={client} />
      <EndClient page={page} client={client} usage={usage} />
    </ClientFrame>
  )
}
