/** The secrets with which the API behind one scope introspects tokens. */
import { readScope } from '#lib/admin/scopes/read-scopes.ts'
import { issuedSecretSchema } from '#lib/admin/secrets/new-secret.ts'
import { fieldState } from '../../../_ui/draft-values.ts'
import { EmptyState } from '../../../_ui/empty-state.tsx'
import { TextField } from '../../../_ui/fields.tsx'
import { AdminForm } from '../../../_ui/form.tsx'
import { SecretOnce } from '../../../_ui/secret-once.tsx'
import { Section } from '../../../_ui/section.tsx'
import { type AdminPage, adminPage } from '../../../admin-page.ts'
import { readThrough } from '../../../read-through.ts'
import { type DetailInput, idOf } from '../../../segments.ts'
import { scopePath } from '../../paths.ts'
import { ScopeFrame } from '../../scope-frame.tsx'
import { SecretsTable } from '../../secrets-table.tsx'

export default async function ScopeSecretsPage(input: DetailInput) {
  const name = await idOf(input)
  const page = await adminPage('scopes:read', scopePath(name, 'secrets'), input)
  const scope = await readThrough(page, readScope, { name })
  const issued = issuedSecretSchema.safeParse(page.answer?.value)
  return (
    <ScopeFrame page={page} scope={scope} tab="secrets">
      {issued.success && (
        <SecretOnce
          title={`New secret${issued.data.name === null ? '' : `: ${issued.data.name}`}`}
          secret={issued.data.secret}
          hint={`The API introspects as “${name}” with it. Copy it now: only its hash is kept, so nobody can show it again.`}
        />
      )}
      {scope.secrets.length === 0 ? (
        <EmptyState title="No secrets">
          An API needs one only to ask about tokens at the introspection endpoint. APIs that read JWTs
          themselves need none.
        </EmptyState>
      ) : (
        <SecretsTable page={page} scope={scope} />
      )}
      <NewSecret page={page} name={name} />
    </ScopeFrame>
  )
}

function NewSecret({ page, name }: { readonly page: AdminPage; readonly name: string }) {
  const { value, error } = fieldState(page, 'scopes.add_secret')
  const reason = page.reasonAgainst('scopes:secrets')
  return (
    <Section title="New secret" description="Several may live at once, so that a change has no gap.">
      <AdminForm page={page} useCase="scopes.add_secret" hidden={{ name }}>
        <TextField
          name="secret_name"
          label="Name"
          help="Where it is used, such as “production”."
          value={value('secret_name', '')}
          error={error('secret_name')}
          isRequired
        />
        <TextField
          name="expires_at"
          label="Last day"
          help="Such as 2027-01-31. Empty: it never ends."
          value={value('expires_at', '')}
          error={error('expires_at')}
          isMono
        />
        <div className="refused-button">
          <button type="submit" className="btn primary" disabled={reason !== null}>
            Create secret
          </button>
          {reason !== null && <span className="small muted">{reason}</span>}
        </div>
      </AdminForm>
    </Section>
  )
}
