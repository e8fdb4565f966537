import { ConfirmedButton } from '../../_ui/confirmed-button.tsx'
import { isDraftOf } from '../../_ui/draft-values.ts'
import { AdminForm } from '../../_ui/form.tsx'
import { SubmitRow } from '../../_ui/submit-row.tsx'
import { type AdministratorProps, lastOwner } from './role-form.tsx'

const useCase = 'administrators.remove'

export function RemoveButton({
  page,
  administrator: { subject, kind },
  name,
  isLast,
}: AdministratorProps & { readonly name: string }) {
  const hidden = { subject }
  const ends =
    kind === 'client' ? 'Its next request to the API is refused.' : 'They leave the dashboard at once.'
  return (
    <ConfirmedButton
      label={`Remove ${name}`}
      consequence={`${ends} Invitations that they made and nobody used end, too.`}
      reasonAgainst={page.reasonAgainst('administrators:delete') ?? (isLast ? lastOwner : null)}
      isOpen={isDraftOf(page, useCase, hidden)}
    >
      <AdminForm page={page} useCase={useCase} hidden={hidden} next="/admin/administrators">
        <SubmitRow label="Take all rights away" look="dangerous" />
      </AdminForm>
    </ConfirmedButton>
  )
}
