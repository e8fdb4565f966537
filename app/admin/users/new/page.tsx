import { createUser } from '#lib/admin/users/write-users.ts'
import { AdminForm, fieldState } from '../../_ui/form.tsx'
import { FreshSignIn } from '../../_ui/notice.tsx'
import { AdminShell, Section } from '../../_ui/page-parts.tsx'
import { SubmitRow } from '../../_ui/post-form.tsx'
import { type AdminPage, adminPage } from '../../admin-page.tsx'
import { ProfileFields, profileLabels } from '../profile-fields.tsx'

export default adminPage('users:create', '/admin/users/new', NewUserPage)

async function NewUserPage(page: AdminPage) {
  return (
    <AdminShell page={page} title="New user" back={{ name: 'Users', href: '/admin/users' }}>
      <Section title="Profile" description="The next page shows a temporary password, once.">
        <FreshSignIn page={page} />
        <AdminForm page={page} useCase={createUser} next="/admin/users/{sub}" labels={profileLabels}>
          <ProfileFields username="" claims={{}} state={fieldState(page, createUser, profileLabels)} />
          <SubmitRow label="Create user" />
        </AdminForm>
      </Section>
    </AdminShell>
  )
}
