/** The page that invites one user. */
import { inviteUser } from '#lib/admin/user-invitations/write-invitations.ts'
import { SelectField, TextArea, TextField } from '../../../_ui/fields.tsx'
import { AdminForm, type FieldState, fieldState } from '../../../_ui/form.tsx'
import { Section } from '../../../_ui/page-parts.tsx'
import { SubmitRow } from '../../../_ui/post-form.tsx'
import { type AdminPage, adminPage } from '../../../admin-page.tsx'
import { InviteShell, invitationsPath, languages, WayField } from '../invite-parts.tsx'

export default adminPage('users:create', '/admin/users/invitations/new', InvitePage)

function InvitePage(page: AdminPage) {
  return (
    <InviteShell page={page} current="new">
      <InviteOne page={page} />
    </InviteShell>
  )
}

const labels = {
  email: 'Email address',
  'claims.name': 'Full name',
  'claims.groups': 'Groups',
  'claims.role': 'Roles',
  locale: 'Language of the mail',
  way: 'How the user gets the link',
} as const

function InviteOne({ page }: { readonly page: AdminPage }) {
  const state = fieldState(page, inviteUser, labels)
  return (
    <Section title="The user">
      <AdminForm page={page} useCase={inviteUser} next={invitationsPath} labels={labels}>
        <TextField
          {...state.text('email')}
          type="email"
          help="Leave it empty for a link to give to any one user."
        />
        <ClaimField state={state} name="name" />
        <ClaimField state={state} name="groups" help="One per line." />
        <ClaimField state={state} name="role" help="One per line." />
        <SelectField {...state.text('locale', languages[0]?.[0])} options={languages} />
        <WayField page={page} state={state} />
        <SubmitRow label="Invite" />
      </AdminForm>
    </Section>
  )
}

type ClaimFieldProps = {
  readonly state: FieldState
  readonly name: 'name' | 'groups' | 'role'
  readonly help?: string
}

/** A field for a claim. The form names it without the prefix of the claims. */
function ClaimField({ state, name, help }: ClaimFieldProps) {
  const field = { name, label: labels[`claims.${name}`], error: state.error(`claims.${name}`) }
  const value = state.value(name, '')
  if (name === 'name') return <TextField {...field} value={value} />
  return <TextArea {...field} value={value} rows={2} help={help} isMono={false} />
}
