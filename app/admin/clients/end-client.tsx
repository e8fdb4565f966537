/** Switching a client off, revoking what it holds, and deleting it, with what each would mean. */
import type { AdminLists } from '#lib/admin/admin-ports.ts'
import type { ClientView } from '#lib/admin/clients/client-document.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { Section } from '../_ui/section.tsx'
import type { AdminPage } from '../admin-page.ts'
import { clientPath } from '../resource/paths.ts'
import { clientName } from './client-name.ts'

type EndClientProps = {
  readonly page: AdminPage
  readonly client: ClientView
  readonly usage: Awaited<ReturnType<AdminLists['usage']>>
}

export function EndClient({ page, client, usage }: EndClientProps) {
  const { client_id: id, version, metadata } = client
  const isEnabled = metadata.enabled !== false
  const name = clientName(client)
  const people = countedText(usage.people, 'person', 'people')
  const grants = countedText(usage.grants, 'grant', 'grants')
  return (
    <Section title="Danger zone" isDangerous>
      <ConfirmedForm
        page={page}
        useCase="clients.set_enabled"
        hidden={{ client_id: id, enabled: String(!isEnabled) }}
        label={isEnabled ? 'Disable this client' : 'Enable this client'}
        reasonAgainst={page.reasonAgainst('clients:update')}
        consequence={
          isEnabled
            ? `Nobody can sign in to ${name} any more. Ends ${grants} of ${people} and the tokens it got for itself; consents stay. You can enable it again, and people go through it once more.`
            : `People can sign in to ${name} again.`
        }
        verb={`${isEnabled ? 'Disable' : 'Enable'} ${name}`}
        isHarmless={!isEnabled}
      />
      <ConfirmedForm
        page={page}
        useCase="grants.revoke_client"
        hidden={{ client_id: id }}
        label="Revoke all its tokens"
        reasonAgainst={page.reasonAgainst('grants:revoke_client')}
        consequence={
          usage.grants.count === 0
            ? 'Nobody’s access would end right now; the tokens it got for itself are refused.'
            : `Ends ${grants} of ${people}. They will have to go through ${name} again; consents stay.`
        }
        verb={`Revoke all tokens of ${name}`}
      />
      <ConfirmedForm
        page={page}
        useCase="clients.delete"
        hidden={{ client_id: id, version }}
        next="/admin/clients"
        back={clientPath(id)}
        label="Delete this client"
        reasonAgainst={page.reasonAgainst('clients:delete')}
        consequence={`Ends ${grants} of ${people} and forgets ${countedText(usage.consents, 'consent', 'consents')}. The history stays; the secrets cannot come back.`}
        verb={`Delete ${name} for ever`}
      />
    </Section>
  )
}
