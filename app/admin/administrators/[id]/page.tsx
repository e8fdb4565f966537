/** The page of one administrator, to change or remove the role. */
import { listAdministrators } from '#lib/admin/administrators/read-administrators.ts'
import { removeAdministrator, setRole } from '#lib/admin/administrators/use-cases.ts'
import { administratorPath } from '#lib/admin/page-paths.ts'
import { displayName } from '#lib/protocol/text/display-text.ts'
import { ConfirmedForm } from '../../_ui/confirmed-form.tsx'
import { CopyText } from '../../_ui/copy.tsx'
import { AdminForm, fieldState } from '../../_ui/form.tsx'
import { AdminShell, Facts, Section } from '../../_ui/page-parts.tsx'
import { SubmitRow } from '../../_ui/post-form.tsx'
import { TimeAgo } from '../../_ui/times.tsx'
import { type AdminPage, callUseCase, detailPage, PageRefusal } from '../../admin-page.tsx'
import { roleNames } from '../../role-names.ts'
import { RoleCards } from '../roles.tsx'
import type { ListedAdministrator } from '../tables.tsx'

export default detailPage('administrators:read', administratorPath, AdministratorPage)

async function AdministratorPage(page: AdminPage, id: string) {
  const { administrators } = await callUseCase(page, listAdministrators, {})
  const found = administrators.find(({ subject }) => subject === id)
  if (found === undefined) throw new PageRefusal('unknown_object', page)

  const owners = administrators.filter(({ kind, role }) => kind === 'user' && role === 'owner')
  const isLast = owners.length === 1 && owners[0]?.subject === id
  const name = displayName(found.name, id)
  return (
    <AdminShell
      page={page}
      title={name}
      back={{ name: 'Administrators', href: '/admin/administrators' }}
      aside={<span className="tag">{roleNames[found.role].name}</span>}
    >
      <Facts
        facts={{
          [found.kind === 'client' ? 'Client ID' : 'Subject']: (
            <CopyText id="subject" name="the ID" text={id} />
          ),
          'Last seen': <TimeAgo at={found.last_seen_at} now={page.now} />,
          Added: <TimeAgo at={found.created_at} now={page.now} />,
        }}
      />
      <Section title="Role" description="A new role applies immediately.">
        <RoleForm page={page} administrator={found} isLast={isLast} />
      </Section>
      <Section title="Remove" isDangerous description="The account itself stays.">
        <RemoveButton page={page} administrator={found} name={name} isLast={isLast} />
      </Section>
    </AdminShell>
  )
}

export type AdministratorProps = {
  readonly page: AdminPage
  readonly administrator: ListedAdministrator
  /** Whether this is the only owner who is a user. Clients cannot sign in to the dashboard. */
  readonly isLast: boolean
}

const lastOwner = 'At least one owner is required: add another owner first.'

function RoleForm({ page, administrator: { subject, role }, isLast }: AdministratorProps) {
  const reasonAgainst = page.reasonAgainst(setRole.permission) ?? (isLast ? lastOwner : null)
  if (reasonAgainst !== null) return <p className="small muted">{reasonAgainst}</p>
  return (
    <AdminForm page={page} useCase={setRole} hidden={{ subject }}>
      <RoleCards fields={fieldState(page, setRole)} stored={role} />
      <SubmitRow label="Save role" />
    </AdminForm>
  )
}

function RemoveButton({
  page,
  administrator: { subject, kind },
  name,
  isLast,
}: AdministratorProps & { readonly name: string }) {
  const ends =
    kind === 'client'
      ? 'Its next request to the API is refused.'
      : 'The user loses access to the dashboard immediately.'
  return (
    <ConfirmedForm
      page={page}
      useCase={removeAdministrator}
      hidden={{ subject }}
      next="/admin/administrators"
      label={`Remove ${name}`}
      consequence={`${ends} Open invitations that they created are revoked.`}
      reasonAgainst={isLast ? lastOwner : null}
      verb="Remove administrator"
    />
  )
}
