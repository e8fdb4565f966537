/** The page that invites the users of a CSV file, who are listed before anything is sent. */
import { z } from 'zod'
import { countedText } from '#lib/admin/counted-text.ts'
import {
  type InvitedRow,
  invitedRowSchema,
  inviteSeveral,
  previewInvitations,
} from '#lib/admin/user-invitations/invite-by-csv.ts'
import { userInvitation as limits } from '#lib/config/limits.ts'
import { AddressText } from '../../../_ui/address-text.tsx'
import { DataTable } from '../../../_ui/data-table.tsx'
import { SelectField, TextArea } from '../../../_ui/fields.tsx'
import { AdminForm, fieldState } from '../../../_ui/form.tsx'
import { Link } from '../../../_ui/link.tsx'
import { Section } from '../../../_ui/page-parts.tsx'
import { SubmitRow } from '../../../_ui/post-form.tsx'
import { type AdminPage, adminPage } from '../../../admin-page.tsx'
import { InviteShell, invitationsPath, languages, WayField } from '../invite-parts.tsx'
import { CsvFile } from './csv-file.tsx'

const path = '/admin/users/invitations/several'

export default adminPage('users:create', path, InviteSeveralPage)

function InviteSeveralPage(page: AdminPage) {
  const preview = previewSchema.safeParse(page.oneTimeResult?.value)
  return (
    <InviteShell page={page} current="several">
      {preview.success ? <Preview page={page} preview={preview.data} /> : <InviteSeveral page={page} />}
    </InviteShell>
  )
}

const previewSchema = z.object({
  rows: z.array(invitedRowSchema),
  csv: z.string(),
  locale: z.string(),
  way: z.enum(['mail', 'link']),
})
type Previewed = z.output<typeof previewSchema>

const labels = { csv: 'List', locale: 'Language of the mails', way: 'How users get the link' } as const

function InviteSeveral({ page }: { readonly page: AdminPage }) {
  const isRejected = page.rejectedForm?.useCase === inviteSeveral.name
  const state = fieldState(page, isRejected ? inviteSeveral : previewInvitations, labels)
  return (
    <Section
      title="The list"
      description={`Paste a list of up to ${limits.mostRows} users, as CSV. Nothing is sent before you have seen who will be invited.`}
    >
      <AdminForm
        page={page}
        useCase={isRejected ? inviteSeveral : previewInvitations}
        labels={labels}
        {...(isRejected ? { next: invitationsPath } : {})}
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
        next={invitationsPath}
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
