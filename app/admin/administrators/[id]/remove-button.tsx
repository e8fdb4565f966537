/** Taking somebody's rights away, unless nobody would be left. */
import { ConfirmedForm } from '../../_ui/confirmed-form.tsx'
import { type AdministratorProps, lastOwner } from './role-form.tsx'

export function RemoveButton({
  page,
  administrator: { subject, kind },
  name,
  isLast,
}: AdministratorProps & { readonly name: string }) {
  const ends =
    kind === 'client' ? 'Its next request to the API is refused.' : 'They leave the dashboard at once.'
  return (
    <ConfirmedForm
      page={page}
      useCase="administrators.remove"
      hidden={{ subject }}
      next="/admin/administrators"
      label={`Remove ${name}`}
      consequence={`${ends} Invitations that they made and nobody used end, too.`}
      reasonAgainst={page.reasonAgainst('administrators:delete') ?? (isLast ? lastOwner : null)}
      verb="Take all rights away"
    />
  )
}
