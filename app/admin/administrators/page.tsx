/** Who may use the dashboard and the API, who is invited to, and what each role may do. */
import type { PageInput } from '#app/_ui/visit.ts'
import { addClient } from '#lib/admin/administrators/add-client.ts'
import { listAdministrators } from '#lib/admin/administrators/read-administrators.ts'
import { findManagedNames } from '#lib/admin/configuration/managed-names.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { AdminShell, PageHeader, Section } from '../_ui/page-parts.tsx'
import { withAdminErrors } from '../_ui/refused-page.tsx'
import { type AdminPage, requireAdminPage } from '../admin-page.ts'
import { callUseCase } from '../call-use-case.ts'
import { AddClientForm } from './add-client-form.tsx'
import { AdministratorTable } from './administrator-table.tsx'
import { InvitationTable } from './invitation-table.tsx'
import { InviteForm } from './invite-form.tsx'
import { NewInvitation } from './new-invitation.tsx'
import { RoleTable } from './role-table.tsx'

export default withAdminErrors(AdministratorsPage)

async function AdministratorsPage(input: PageInput) {
  const page = await requireAdminPage('administrators:read', '/admin/administrators', input)
  const managed = await findManagedNames(page.ports.meta)
  const { administrators, invitations } = await callUseCase(page, listAdministrators, {})
  return (
    <AdminShell page={page} title="Administrators">
      <PageHeader
        title="Administrators"
        description="Who may use this dashboard and the API. Everybody signs in with an account of their own."
      />
      <NewInvitation answer={page.answer} />
      <AdministratorTable administrators={administrators} self={page.actor.subject} now={page.now} />
      {invitations.length > 0 && (
        <Section title="Open invitations" description="Links that nobody has used yet.">
          <InvitationTable page={page} invitations={invitations} />
        </Section>
      )}
      <Section
        title="Invite somebody"
        id="invite"
        description="You get a link that works once, for a day. Whoever opens it makes an account, or uses the one they have."
      >
        <InviteForm page={page} />
      </Section>
      <Section
        title="Let a client use the API"
        description="It may do what its role may, with tokens for itself. If it lacks the grant type client_credentials or the scope latchkey.admin for that, it gets them; its history says so."
      >
        {managed.source === 'file' && managed.clients.length > 0 && (
          <p className="small muted">
            A client in the file that <code className="mono">LATCHKEY_CONFIG</code> names needs both of them
            there: the next start sets it back to what the file says.
          </p>
        )}
        <AddClientForm page={page} refused={await refusedClient(page)} />
      </Section>
      <Section title="What each role may do">
        <RoleTable />
      </Section>
    </AdminShell>
  )
}

/** The client that the form came back for, to lead to what must change. */
async function refusedClient({ draft, ports }: AdminPage): Promise<string | null> {
  if (draft?.useCase !== addClient.name || draft.errors.length === 0) return null
  const id = clientIdSchema.safeParse(draft.fields.client_id?.at(-1))
  const found = id.success ? await ports.adminLists.client(id.data) : null
  return found?.clientId ?? null
}
