/** The page that invites users: one with a form, or several with a CSV file, whose users are listed before anything is sent. */
import { countedText } from '#lib/admin/counted-text.ts'
import {
  type InvitedRow,
  inviteSeveral,
  previewInvitations,
} from '#lib/admin/user-invitations/invite-by-csv.ts'
import { inviteUser } from '#lib/admin/user-invitations/write-invitations.ts'
import { userInvitation as limits } from '#lib/config/limits.ts'
import { locales } from '#lib/i18n/locales.ts'
import { AddressText } from '../../../_ui/address-text.tsx'
import { DataTable } from '../../../_ui/data-table.tsx'
import { SelectField, TextArea, TextField } from '../../../_ui/fields.tsx'
import { AdminForm, type FieldState, fieldState } from '../../../_ui/form.tsx'
import { Link } from '../../../_ui/link.tsx'
import { FreshSignIn, Notice } from '../../../_ui/notice.tsx'
import { AdminShell, Section } from '../../../_ui/page-parts.tsx'
import { SubmitRow } from '../../../_ui/post-form.tsx'
import { type AdminPage, adminPage, type OutputOf } from '../../../admin-page.tsx'
import { CsvFile } from './csv-file.tsx'

const path = '/admin/users/invitations/new'
const listPath = '/admin/users/invitations'

export default adminPage('users:create', path, InvitePage)

async function InvitePage(page: AdminPage) {
  const { registration } = await page.ports.policies.current()
  const preview = previewInvitations.output.safeParse(page.oneTimeResult?.value)
  return (
    <AdminShell page={page} title="Invite users" back={{ name: 'Invitations', href: listPath }}>
      {registration === 'closed' && (
        <Notice kind="warn">
          Registration is closed, so an invitation would not work. An owner can change that under{' '}
          <Link href="/admin/policies">Policies</Link>.
        </Notice>
      )}
      {page.ports.mail.kind === 'off' && (
        <Notice kind="warn">Mail is off: you get a link for each user, and give it to them yourself.</Notice>
      )}
      <FreshSignIn page={page} />
      {preview.success ? (
        <Preview page={page} preview={previewInvitations.output.parse(preview.data) as Previewed} />
      ) : (
        <>
          <InviteOne page={page} />
          <InviteSeveral page={page} />
        </>
      )}
    </AdminShell>
  )
}

type Previewed = OutputOf<typeof previewInvitations>

const languageNames = new Intl.DisplayNames('en', { type: 'language' })
const languages = locales.map(locale => [locale, languageNames.of(locale) ?? locale] as const)

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
    <Section title="One user">
      <AdminForm page={page} useCase={inviteUser} next={listPath} labels={labels}>
        <TextField
          {...state.text('email')}
          type="email"
          help="Leave it empty for a link to give to any one user."
        />
        <div className="columns">
          <ClaimField state={state} name="name" />
          <SelectField {...state.text('locale', languages[0]?.[0])} options={languages} />
          <ClaimField state={state} name="groups" help="One per line." />
          <ClaimField state={state} name="role" help="One per line." />
        </div>
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

function WayField({ page, state }: { readonly page: AdminPage; readonly state: FieldState }) {
  if (page.ports.mail.kind === 'off') return <input type="hidden" name="way" value="link" />
  const options = [
    ['mail', 'By mail: the address is verified when the link is used'],
    ['link', 'You get the link, and give it to the user'],
  ] as const
  return <SelectField {...state.text('way', 'mail')} options={options} />
}

const csvLabels = { csv: 'List', locale: 'Language of the mails', way: 'How users get the link' } as const

function InviteSeveral({ page }: { readonly page: AdminPage }) {
  const isRejected = page.rejectedForm?.useCase === inviteSeveral.name
  const state = fieldState(page, isRejected ? inviteSeveral : previewInvitations, csvLabels)
  return (
    <Section
      title="Several users"
      description={`Paste a list of up to ${limits.mostRows} users, as CSV. Nothing is sent before you have seen who will be invited.`}
    >
      <AdminForm
        page={page}
        useCase={isRejected ? inviteSeveral : previewInvitations}
        labels={csvLabels}
        {...(isRejected ? { next: listPath } : {})}
      >
        <TextArea
          {...state.text('csv')}
          help="The first line has the headings: email, and name, groups, role and language if you want. Separate several groups or roles of a user with |."
          rows={8}
        />
        <CsvFile field="csv" />
        <SelectField {...state.text('locale', languages[0]?.[0])} options={languages} />
        <WayField page={page} state={state} />
        <SubmitRow label={isRejected ? 'Invite these users' : 'Check the list'} />
      </AdminForm>
    </Section>
  )
}

type PreviewProps = { readonly page: AdminPage; readonly preview: Previewed }

function Preview({ page, preview: { rows, csv, locale, way } }: PreviewProps) {
  const fresh = rows.filter(({ presence }) => presence === 'new').length
  const invited = countedText({ count: fresh, isMore: false }, 'user', 'users')
  const skipped = rows.length - fresh
  return (
    <Section
      title={`${invited} to invite`}
      description={`Nothing is sent yet.${skipped === 0 ? '' : ` ${skipped} of the list have an account or an invitation, and are skipped.`}`}
    >
      <DataTable
        caption="Users of the list"
        rows={rows}
        keyOf={({ line }) => String(line)}
        columns={columns}
      />
      <AdminForm
        page={page}
        useCase={inviteSeveral}
        hidden={{ csv, locale, way }}
        next={listPath}
        back={path}
      >
        <SubmitRow
          label={way === 'mail' ? `Send ${fresh === 1 ? 'one mail' : `${fresh} mails`}` : 'Create the links'}
        >
          <Link className="btn" href={path}>
            Cancel
          </Link>
        </SubmitRow>
      </AdminForm>
    </Section>
  )
}

const presenceTexts = {
  new: 'Will be invited',
  has_account: 'Has an account',
  invited: 'Was invited',
} as const

const columns = [
  { name: 'Line', isNumber: true, cell: ({ line }: InvitedRow) => line },
  { name: 'Email', cell: ({ email }: InvitedRow) => <AddressText text={email} /> },
  {
    name: 'Claims',
    cell: ({ claims }: InvitedRow) => claimsText(claims) || <span className="faint">none</span>,
  },
  { name: 'Language', cell: ({ locale }: InvitedRow) => locale },
  {
    name: 'What happens',
    cell: ({ presence }: InvitedRow) =>
      presence === 'new' ? presenceTexts.new : <span className="tag warn">{presenceTexts[presence]}</span>,
  },
] as const

function claimsText(claims: InvitedRow['claims']): string {
  return Object.entries(claims)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join('; ')
}
