/** The secrets of one client. */
import { readClient } from '#lib/admin/clients/read-clients.ts'
import { inShell } from '../../../_ui/in-shell.tsx'
import { adminPage } from '../../../admin-page.ts'
import { pageOfClient } from '../../../owners-alone.ts'
import { readThrough } from '../../../read-through.ts'
import { IssuedSecret } from '../../../secrets/issued-secret.tsx'
import { type DetailInput, idOf } from '../../../segments.ts'
import { ClientFrame } from '../../client-frame.tsx'
import { ClientSecrets } from '../../client-secrets.tsx'
import { clientPath } from '../../paths.ts'

export default inShell(ClientSecretsPage)

async function ClientSecretsPage(input: DetailInput) {
  const id = await idOf(input)
  const opened = await adminPage('clients:read', clientPath(id, 'secrets'), input)
  const client = await readThrough(opened, readClient, { client_id: id })
  const page = await pageOfClient(opened, id)
  return (
    <ClientFrame page={page} client={client} tab="secrets">
      <IssuedSecret page={page} />
      <ClientSecrets page={page} client={client} />
    </ClientFrame>
  )
}
