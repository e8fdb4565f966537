import { clientSecrets } from '#lib/admin/clients/write-clients.ts'
import { secretsPage } from '../../../resource/secrets.tsx'
import { clientPages } from '../../client-pages.tsx'

export default secretsPage(clientPages, ({ client_id, metadata }) => {
  const isPublic = metadata.token_endpoint_auth_method === 'none'
  return {
    useCases: clientSecrets,
    hidden: { client_id },
    consequence: 'Requests with it are refused from now on.',
    empty: isPublic
      ? 'This is a public client: it uses PKCE and has no secret.'
      : 'This client cannot get tokens without a secret. Create one below.',
    isClosed: isPublic,
  }
})
