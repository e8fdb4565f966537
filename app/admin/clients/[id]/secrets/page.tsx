/** The secrets of one client. */

import { readClient } from '#lib/admin/clients/read-clients.ts'
import { issuedSecretSchema } from '#lib/admin/secrets/new-secret.ts'
import { SecretOnce } from '../../../_ui/secret-once.tsx'
import { adminPage } from '../../../admin-page.ts'
import { readThrough } from '../../../read-through.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { ClientFrame } from '../../client-frame.tsx'
import { ClientSecrets } from '../../client-secrets.tsx'
import { clientPath } from '../../paths.ts'

export default async function ClientSecretsPage(input: DetailInput) {
  const id = await idOf(input)
  const page = await adminPage('clients:read', clientPath(id, 'secrets'), input)
  const client = await readThrough(page, readClient, { client_id: id })
  const issued = issuedSecretSchema.safeParse(page.answer?.value)
  return (
    <ClientFrame page={page} client={client} tab="secrets">
      {issued.success && (
        <SecretOnce
          title={`New secret${issued.data.name === null ? '' : `: ${issued.data.name}`}`}
          secret={issued.data.secret}
          hint="Copy it now: only its hash is kept, so nobody can show it again."
        />
      )}
      <ClientSecrets page={page} client={client} />
    </ClientFrame>
  )
}
