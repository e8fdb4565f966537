import { adminRoles } from '#lib/protocol/admin-role.ts'
import { SubmitRow } from '../_ui/confirmed-form.tsx'
import { fieldState } from '../_ui/draft-values.ts'
import { RadioCards } from '../_ui/fields.tsx'
import { AdminForm } from '../_ui/form.tsx'
import type { AdminPage } from '../admin-page.ts'
import { roleNames } from '../role-names.ts'

const useCase = 'administrators.invite'

export function InviteForm({ page }: { readonly page: AdminPage }) {
  const reasonAgainst = page.reasonAgainst('administrators:invite')
  if (reasonAgainst !== null) return <p className="small muted">{reasonAgainst}</p>
  const fields = fieldState(page, useCase)
  return (
    <AdminForm page={page} useCase={useCase}>
      <RadioCards
        name="role"
        label="Role"
        value={fields.value('role', 'auditor')}
        error={fields.error('role')}
        cards={adminRoles.map(role => ({
          value: role,
          title: roleNames[role].name,
          text: roleNames[role].summary,
        }))}
      />
      <SubmitRow label="Make the link" />
    </AdminForm>
  )
}
