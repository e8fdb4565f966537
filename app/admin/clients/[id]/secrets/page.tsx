/** The secrets of one client. */
import { readClient } from '#lib/admin/clients/read-clients.ts'
import { withAdminErrors } from '../../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../../admin-page.ts'
import { callUseCase } from '../../../call-use-case.ts'
import { clientPath } from '../../../resource/paths.ts'
import { restrictClientToOwners } from '../../../restrict-to-owners.ts'
import { IssuedSecret } from '../../../secrets/issued-secret.tsx'
import { type DetailInput, idOf } from '../../../segments.ts'
import { ClientFrame } from '../../client-frame.tsx'
import { ClientSecrets } from '../../client-secrets.tsx'

export default withAdminErrors(ClientSecretsPage)

async function ClientSecretsPage(input: DetailInput) {
  const id = await idOf(input)
  const opened = await requireAdminPage('clients:read', clientPath(id, 'secrets'), input)
  const client = await callUseCase(opened, readClient, { client_id: id })
  const page = await restrictClientToOwners(opened, client)
  return (
    <ClientFrame page={page} client={client} tab="secrets">
      <IssuedSecret page={page} />
      <ClientSecrets page={page} client={client} />
    </ClientFrame>
  )
}
