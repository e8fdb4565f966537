import { adminRoles } from '#lib/protocol/admin-role.ts'
import { SubmitRow } from '../../_ui/confirmed-form.tsx'
import { fieldState } from '../../_ui/draft-values.ts'
import { RadioCards } from '../../_ui/fields.tsx'
import { AdminForm } from '../../_ui/form.tsx'
import type { AdminPage } from '../../admin-page.ts'
import { roleNames } from '../../role-names.ts'
import type { ListedAdministrator } from '../administrator-table.tsx'

const useCase = 'administrators.set_role'

export type AdministratorProps = {
  readonly page: AdminPage
  readonly administrator: ListedAdministrator
  /** The only owner who can sign in. */
  readonly isLast: boolean
}

export const lastOwner = 'There must be at least one owner: appoint a new one first.'

export function RoleForm({ page, administrator: { subject, role }, isLast }: AdministratorProps) {
  const reasonAgainst = page.reasonAgainst('administrators:update') ?? (isLast ? lastOwner : null)
  if (reasonAgainst !== null) return <p className="small muted">{reasonAgainst}</p>
  const fields = fieldState(page, useCase)
  return (
    <AdminForm page={page} useCase={useCase} hidden={{ subject }}>
      <RadioCards
        name="role"
        label="Role"
        value={fields.value('role', role)}
        error={fields.error('role')}
        cards={adminRoles.map(each => ({
          value: each,
          title: roleNames[each].name,
          text: roleNames[each].summary,
        }))}
      />
      <SubmitRow label="Save the role" />
    </AdminForm>
  )
}
