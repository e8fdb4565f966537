/** Every setting of one client, and what cannot be undone. */
import type { AdminLists } from '#lib/admin/admin-ports.ts'
import type { ClientView } from '#lib/admin/clients/client-resource.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { ConfirmedForm } from '../../_ui/confirmed-form.tsx'
import type { AdminPage } from '../../admin-page.ts'
import { DangerZone } from '../../resource/danger-zone.tsx'
import { resourcePage, type Shown } from '../../resource/resource-pages.tsx'
import { clientName, clientPages } from '../client-pages.tsx'
import { SettingsForm } from '../settings-form.tsx'

export default resourcePage(clientPages, 'settings', ClientSettings)

async function ClientSettings({ page, view: client, id }: Shown<ClientView>) {
  const filter = { subject: null, clientId: clientIdSchema.parse(id) }
  const usage = await page.ports.adminLists.usage(filter, page.now)
  return (
    <>
      <SettingsForm page={page} client={client} />
      <EndClient page={page} client={client} usage={usage} />
    </>
  )
}

type EndClientProps = {
  readonly page: AdminPage
  readonly client: ClientView
  readonly usage: Awaited<ReturnType<AdminLists['usage']>>
}

function EndClient({ page, client, usage }: EndClientProps) {
  const { client_id: id, version, metadata } = client
  const isEnabled = metadata.enabled !== false
  const name = clientName(client)
  const users = countedText(usage.users, 'user', 'users')
  const grants = countedText(usage.grants, 'grant', 'grants')
  const consents = countedText(usage.consents, 'consent', 'consents')
  return (
    <DangerZone
      page={page}
      area="clients"
      thing="client"
      id={id}
      hidden={{ client_id: id, version }}
      name={name}
      enabling={{
        isEnabled,
        consequence: isEnabled
          ? `Users can no longer sign in to ${name}. Ends ${grants} of ${users} and its own tokens; consents are kept. You can enable it again; users must then sign in to it again.`
          : `Users can sign in to ${name} again.`,
      }}
      deletion={{
        consequence: `Ends ${grants} of ${users} and deletes ${consents}. The history is kept; the secrets cannot be restored.`,
      }}
    >
      <ConfirmedForm
        page={page}
        useCase="grants.revoke_client"
        hidden={{ client_id: id }}
        label="Revoke all tokens"
        reasonAgainst={page.reasonAgainst('grants:revoke_client')}
        consequence={
          usage.grants.count === 0
            ? 'No user has given it access. Its own tokens are revoked.'
            : `Ends ${grants} of ${users}. They must sign in to ${name} again; consents are kept.`
        }
        verb={`Revoke all tokens of ${name}`}
      />
    </DangerZone>
  )
}
