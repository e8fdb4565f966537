/** A client's secrets; of a public one why there are none. */
import type { ClientView } from '#lib/admin/clients/client-document.ts'
import { EmptyState } from '../_ui/empty-state.tsx'
import type { AdminPage } from '../admin-page.ts'
import { NewSecretForm } from '../secrets/new-secret-form.tsx'
import type { SecretOwner } from '../secrets/secret-owner.ts'
import { SecretsTable } from '../secrets/secrets-table.tsx'

type ClientSecretsProps = { readonly page: AdminPage; readonly client: ClientView }

export function ClientSecrets({ page, client }: ClientSecretsProps) {
  const isPublic = client.metadata.token_endpoint_auth_method === 'none'
  const owner: SecretOwner = {
    area: 'clients',
    hidden: { client_id: client.client_id },
    permission: 'clients:secrets',
    consequence: 'Whoever uses it is refused from now on.',
  }
  return (
    <>
      {client.secrets.length === 0 ? (
        <EmptyState title="No secrets">
          {isPublic
            ? 'This is a public client: it proves itself by PKCE alone, and a secret would never be asked for.'
            : 'Without one this client cannot get tokens. Create the first below.'}
        </EmptyState>
      ) : (
        <SecretsTable page={page} owner={owner} secrets={client.secrets} />
      )}
      {!isPublic && <NewSecretForm page={page} owner={owner} />}
    </>
  )
}
