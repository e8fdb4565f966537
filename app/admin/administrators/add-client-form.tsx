import { adminRoles } from '#lib/protocol/admin-role.ts'
import { SubmitRow } from '../_ui/confirmed-form.tsx'
import { fieldState } from '../_ui/draft-values.ts'
import { SelectField, TextField } from '../_ui/fields.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { Link } from '../_ui/link.tsx'
import type { AdminPage } from '../admin-page.ts'
import { clientPath } from '../resource/paths.ts'
import { roleNames } from '../role-names.ts'

const useCase = 'administrators.add_client'

type AddClientFormProps = {
  readonly page: AdminPage
  /** The client that was typed in and refused, when there is one of that id. */
  readonly refused: string | null
}

export function AddClientForm({ page, refused }: AddClientFormProps) {
  const reasonAgainst = page.reasonAgainst('administrators:update')
  if (reasonAgainst !== null) return <p className="small muted">{reasonAgainst}</p>
  const fields = fieldState(page, useCase)
  return (
    <AdminForm page={page} useCase={useCase}>
      <TextField
        name="client_id"
        label="Client id"
        help="Of a machine: a client with a secret, to which nobody signs in."
        value={fields.value('client_id', '')}
        error={fields.error('client_id')}
        isRequired
        isMono
      />
      <SelectField
        name="role"
        label="Role"
        value={fields.value('role', 'auditor')}
        error={fields.error('role')}
        options={adminRoles.map(role => [role, roleNames[role].name])}
      />
      <SubmitRow label="Give the role">
        {refused !== null && (
          <>
            <Link href={clientPath(refused)}>Settings of {refused}</Link>
            <Link href="/admin/clients/new?kind=machine">Register a machine</Link>
          </>
        )}
      </SubmitRow>
    </AdminForm>
  )
}
