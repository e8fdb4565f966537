/** The page of administrators, open invitations, and the permissions of each role. */

import { z } from 'zod'
import type { OneTimeResult } from '#lib/admin/access/admin-session.ts'
import { addClient } from '#lib/admin/administrators/add-client.ts'
import { listAdministrators } from '#lib/admin/administrators/read-administrators.ts'
import { inviteAdministrator } from '#lib/admin/administrators/use-cases.ts'
import { findManagedNames } from '#lib/admin/configuration/managed-names.ts'
import { clientPath } from '#lib/admin/page-paths.ts'
import { adminRoleSchema, adminRoles } from '#lib/protocol/admin-role.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { SecretOnce } from '../_ui/copy.tsx'
import { SelectField, TextField } from '../_ui/fields.tsx'
import { AdminForm, fieldState } from '../_ui/form.tsx'
import { Link } from '../_ui/link.tsx'
import { AdminShell, Section } from '../_ui/page-parts.tsx'
import { SubmitRow } from '../_ui/post-form.tsx'
import { Moment } from '../_ui/times.tsx'
import { type AdminPage, adminPage, callUseCase } from '../admin-page.tsx'
import { roleNames } from '../role-names.ts'
import { RoleCards, RoleTable } from './roles.tsx'
import { AdministratorTable, InvitationTable } from './tables.tsx'

export default adminPage('administrators:read', '/admin/administrators', AdministratorsPage)

async function AdministratorsPage(page: AdminPage) {
  const managed = await findManagedNames(page.ports.meta)
  const { administrators, invitations } = await callUseCase(page, listAdministrators, {})
  return (
    <AdminShell
      page={page}
      title="Administrators"
      description="Users and clients with access to this dashboard and the API."
    >
      <NewInvitation answer={page.oneTimeResult} />
      <AdministratorTable administrators={administrators} self={page.actor.subject} now={page.now} />
      {invitations.length > 0 && (
        <Section title="Open invitations" description="Links that have not been used yet.">
          <InvitationTable page={page} invitations={invitations} />
        </Section>
      )}
      <Section
        title="Invite an administrator"
        id="invite"
        description="Creates a single-use link that is valid for a day. The user who opens it signs in or creates an account."
      >
        <InviteForm page={page} />
      </Section>
      <Section
        title="Give a client access to the API"
        description="The client gets the permissions of the role. If it lacks the grant type client_credentials or the scope latchkey.admin, they are added."
      >
        {managed.source === 'file' && managed.clients.length > 0 && (
          <p className="small muted">
            A client in the file that <code className="mono">LATCHKEY_CONFIG</code> names needs both in the
            file: the next start resets it to the file’s values.
          </p>
        )}
        <AddClientForm page={page} refused={await refusedClient(page)} />
      </Section>
      <Section title="Role permissions">
        <RoleTable />
      </Section>
    </AdminShell>
  )
}

/** The ID of the client in a rejected form, to link to its settings; `null` if no such client exists. */
async function refusedClient({ rejectedForm: draft, ports }: AdminPage): Promise<string | null> {
  if (draft?.useCase !== addClient.name || draft.errors.length === 0) return null
  const id = clientIdSchema.safeParse(draft.fields.client_id?.at(-1))
  const found = id.success ? await ports.adminLists.client(id.data) : null
  return found?.clientId ?? null
}

const invitationSchema = z.object({ link: z.string(), role: adminRoleSchema, expires_at: z.coerce.date() })

export function NewInvitation({ answer }: { readonly answer: OneTimeResult | null }) {
  const invitation = invitationSchema.safeParse(
    answer?.useCase === inviteAdministrator.name ? answer.value : null,
  )
  if (!invitation.success) return null
  const { link, role, expires_at: expiresAt } = invitation.data
  return (
    <SecretOnce
      title={`This link makes one user ${roleNames[role].asPhrase}`}
      secret={link}
      hint={
        <>
          Send it only to that user. It works once, until <Moment at={expiresAt} />, and won’t be shown again.
        </>
      }
    />
  )
}

function InviteForm({ page }: { readonly page: AdminPage }) {
  const reasonAgainst = page.reasonAgainst(inviteAdministrator.permission)
  if (reasonAgainst !== null) return <p className="small muted">{reasonAgainst}</p>
  const fields = fieldState(page, inviteAdministrator)
  return (
    <AdminForm page={page} useCase={inviteAdministrator}>
      <RoleCards fields={fields} stored="auditor" />
      <SubmitRow label="Create link" />
    </AdminForm>
  )
}

type AddClientFormProps = {
  readonly page: AdminPage
  /** The client that was entered and refused, if it exists. */
  readonly refused: string | null
}

function AddClientForm({ page, refused }: AddClientFormProps) {
  const reasonAgainst = page.reasonAgainst(addClient.permission)
  if (reasonAgainst !== null) return <p className="small muted">{reasonAgainst}</p>
  const labels = { client_id: 'Client ID', role: 'Role' }
  const { text } = fieldState(page, addClient, labels)
  return (
    <AdminForm page={page} useCase={addClient} labels={labels}>
      <TextField
        {...text('client_id')}
        help="A machine client, which has a secret and no user sign-in."
        isRequired
        isMono
      />
      <SelectField
        {...text('role', 'auditor')}
        options={adminRoles.map(role => [role, roleNames[role].name])}
      />
      <SubmitRow label="Assign role">
        {refused !== null && (
          <>
            <Link href={clientPath(refused)}>Settings of {refused}</Link>
            <Link href="/admin/clients/new?kind=machine">Register a machine client</Link>
          </>
        )}
      </SubmitRow>
    </AdminForm>
  )
}
