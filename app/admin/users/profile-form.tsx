/** What apps learn about a person. */
import type { UserView } from '#lib/admin/users/user-view.ts'
import { fieldState } from '../_ui/draft-values.ts'
import { AdminForm } from '../_ui/form.tsx'
import { SaveBar } from '../_ui/save-bar.tsx'
import { Section } from '../_ui/section.tsx'
import type { AdminPage } from '../admin-page.ts'
import { ProfileFields, profileLabels } from './profile-fields.tsx'

export function ProfileForm({ page, user }: { readonly page: AdminPage; readonly user: UserView }) {
  const reason = page.reasonAgainst('users:update')
  return (
    <Section title="Profile" description="Apps learn it through the scopes that people agree to.">
      <AdminForm
        page={page}
        useCase="users.update"
        hidden={{ sub: user.sub, version: user.version }}
        labels={profileLabels}
      >
        <ProfileFields
          username={user.username}
          claims={user.claims}
          state={fieldState(page, 'users.update', profileLabels)}
        />
        <SaveBar reasonAgainst={reason} />
      </AdminForm>
    </Section>
  )
}
