/** One more secret, beside those that there are. */
import { fieldState } from '../_ui/draft-values.ts'
import { TextField } from '../_ui/fields.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { Section } from '../_ui/section.tsx'
import { SubmitRow } from '../_ui/submit-row.tsx'
import type { AdminPage } from '../admin-page.ts'
import type { SecretOwner } from './secret-owner.ts'

const labels = { secret_name: 'Name', expires_at: 'Last day' } as const

type NewSecretFormProps = { readonly page: AdminPage; readonly owner: SecretOwner }

export function NewSecretForm({ page, owner: { area, hidden, permission } }: NewSecretFormProps) {
  const useCase = `${area}.add_secret`
  const { value, error } = fieldState(page, useCase, labels)
  return (
    <Section title="New secret" description="Several may live at once, so that a change has no gap.">
      <AdminForm page={page} useCase={useCase} hidden={hidden} labels={labels}>
        <TextField
          name="secret_name"
          label={labels.secret_name}
          help="Where it is used, such as “production”."
          value={value('secret_name', '')}
          error={error('secret_name')}
          isRequired
        />
        <TextField
          name="expires_at"
          label={labels.expires_at}
          help="In UTC. Leave it empty for a secret that does not expire."
          value={value('expires_at', '')}
          error={error('expires_at')}
          type="date"
        />
        <SubmitRow label="Create secret" reasonAgainst={page.reasonAgainst(permission)} />
      </AdminForm>
    </Section>
  )
}
