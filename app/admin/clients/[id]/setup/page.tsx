/** How to use one client: its secret if it was just made, a test, its endpoints, and set-up for common frameworks. */
import { z } from 'zod'
import { readClient } from '#lib/admin/clients/read-clients.ts'
import { Notice } from '../../../_ui/notice.tsx'
import { SecretOnce } from '../../../_ui/secret-once.tsx'
import { withAdminErrors } from '../../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../../admin-page.ts'
import { callUseCase } from '../../../call-use-case.ts'
import { clientPath } from '../../../resource/paths.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { ClientFrame } from '../../client-frame.tsx'
import { ClientSnippets } from '../../client-snippets.tsx'
import { Endpoints } from '../../endpoints.tsx'

const createdSchema = z.object({ client_secret: z.string() })

export default withAdminErrors(ClientSetupPage)

async function ClientSetupPage(input: DetailInput) {
  const id = await idOf(input)
  const page = await requireAdminPage('clients:read', clientPath(id, 'setup'), input)
  const client = await callUseCase(page, readClient, { client_id: id })
  const created = createdSchema.safeParse(page.answer?.value)
  return (
    <ClientFrame page={page} client={client} tab="setup">
      {created.success && (
        <SecretOnce
          title="Step 3 of 3: the client is ready. This is its secret"
          secret={created.data.client_secret}
          hint="Copy it now: only its hash is kept, so nobody can show it again. You can make another one any time."
        />
      )}
      {page.answer?.useCase === 'clients.create' && !created.success && (
        <Notice kind="good">Step 3 of 3: the client is ready. It needs no secret; this is its set-up.</Notice>
      )}
      <Endpoints issuer={page.issuer} />
      <ClientSnippets page={page} client={client} />
    </ClientFrame>
  )
}
