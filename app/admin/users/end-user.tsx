/** Deleting a person. */
import type { UserView } from '#lib/admin/users/user-view.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { Section } from '../_ui/section.tsx'
import type { AdminPage } from '../admin-page.ts'
import { userPath } from './paths.ts'

export function EndUser({ page, user }: { readonly page: AdminPage; readonly user: UserView }) {
  return (
    <Section title="Danger zone" isDangerous>
      <ConfirmedForm
        page={page}
        useCase="users.delete"
        hidden={{ sub: user.sub, version: user.version }}
        back={userPath(user.sub)}
        next="/admin/users"
        label="Delete this person"
        reasonAgainst={page.reasonAgainst('users:delete')}
        consequence="Their account, sessions, consents and tokens go for ever. What admins changed about them stays in the history. Locking is the reversible way."
        verb={`Delete ${user.username} for ever`}
      />
    </Section>
  )
}
