/** A new user. */

import { SubmitRow } from '../../_ui/confirmed-form.tsx'
import { AdminForm, fieldState } from '../../_ui/form.tsx'
import { FreshSignIn } from '../../_ui/notice.tsx'
import { AdminShell, PageHeader, Section } from '../../_ui/page-parts.tsx'
import { type AdminPage, adminPage } from '../../admin-page.tsx'
import { ProfileFields, profileLabels } from '../profile-fields.tsx'

export default adminPage('users:create', '/admin/users/new', NewUserPage)

async function NewUserPage(page: AdminPage) {
  return (
    <AdminShell page={page} title="New user">
      <PageHeader title="New user" back={{ name: 'Users', href: '/admin/users' }} />
      <Section title="Profile" description="The next page shows a temporary password, once.">
        <FreshSignIn page={page} />
        <AdminForm page={page} useCase="users.create" next="/admin/users/{sub}" labels={profileLabels}>
          <ProfileFields username="" claims={{}} state={fieldState(page, 'users.create', profileLabels)} />
          <SubmitRow label="Create user" />
        </AdminForm>
      </Section>
    </AdminShell>
  )
}
