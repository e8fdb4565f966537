/** The secrets with which the API behind one scope introspects tokens. */
import { readScope } from '#lib/admin/scopes/read-scopes.ts'
import { EmptyState } from '../../../_ui/empty-state.tsx'
import { withAdminErrors } from '../../../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../../../admin-page.ts'
import { callUseCase } from '../../../call-use-case.ts'
import { scopePath } from '../../../resource/paths.ts'
import { IssuedSecret } from '../../../secrets/issued-secret.tsx'
import { NewSecretForm } from '../../../secrets/new-secret-form.tsx'
import type { SecretOwner } from '../../../secrets/secret-owner.ts'
import { SecretsTable } from '../../../secrets/secrets-table.tsx'
import { type DetailInput, idOf } from '../../../segments.ts'
import { ScopeFrame } from '../../scope-frame.tsx'

export default withAdminErrors(ScopeSecretsPage)

async function ScopeSecretsPage(input: DetailInput) {
  const name = await idOf(input)
  const page = await requireAdminPage('scopes:read', scopePath(name, 'secrets'), input)
  const scope = await callUseCase(page, readScope, { name })
  const owner: SecretOwner = {
    area: 'scopes',
    hidden: { name },
    permission: 'scopes:secrets',
    consequence: 'An API that still uses it is refused from now on.',
  }
  return (
    <ScopeFrame page={page} scope={scope} tab="secrets">
      <IssuedSecret page={page} purpose={`The API introspects as “${name}” with it.`} />
      {scope.secrets.length === 0 ? (
        <EmptyState title="No secrets">
          An API needs one only to ask about tokens at the introspection endpoint. APIs that read JWTs
          themselves need none.
        </EmptyState>
      ) : (
        <SecretsTable page={page} owner={owner} secrets={scope.secrets} />
      )}
      <NewSecretForm page={page} owner={owner} />
    </ScopeFrame>
  )
}
