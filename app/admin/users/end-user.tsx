/** Deleting a person, with what would go. */
import type { AdminLists } from '#lib/admin/admin-ports.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import type { UserView } from '#lib/admin/users/user-view.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { Section } from '../_ui/section.tsx'
import type { AdminPage } from '../admin-page.ts'
import { userPath } from '../resource/paths.ts'

type EndUserProps = {
  readonly page: AdminPage
  readonly user: UserView
  readonly usage: Awaited<ReturnType<AdminLists['usage']>>
}

export function EndUser({ page, user, usage }: EndUserProps) {
  const sessions = countedText(usage.sessions, 'session', 'sessions')
  const grants = countedText(usage.grants, 'grant', 'grants')
  const consents = countedText(usage.consents, 'consent', 'consents')
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
        consequence={`Their account goes for ever; it ends ${sessions} and ${grants} and forgets ${consents}. What admins changed about them stays in the history. Locking is the reversible way.`}
        verb={`Delete ${user.username} for ever`}
      />
    </Section>
  )
}
