/** Switching a client off, revoking what it holds, and deleting it, with what each would mean. */
import type { AdminLists } from '#lib/admin/admin-ports.ts'
import type { ClientView } from '#lib/admin/clients/client-document.ts'
import { ConfirmedButton } from '../_ui/confirmed-button.tsx'
import { countedText } from '../_ui/counted-text.ts'
import { AdminForm } from '../_ui/form.tsx'
import { Section } from '../_ui/section.tsx'
import { SubmitRow } from '../_ui/submit-row.tsx'
import type { AdminPage } from '../admin-page.ts'
import { clientName } from './client-name.ts'
import { clientPath } from './paths.ts'

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
      <ConfirmedButton
        label={isEnabled ? 'Disable this client' : 'Enable this client'}
        reasonAgainst={page.reasonAgainst('clients:update')}
        consequence={
          isEnabled
            ? `Nobody can sign in to ${name} any more, and its tokens are refused. You can enable it again.`
            : `People can sign in to ${name} again.`
        }
      >
        <AdminForm
          page={page}
          useCase="clients.set_enabled"
          hidden={{ client_id: id, enabled: String(!isEnabled) }}
        >
          <SubmitRow
            label={`${isEnabled ? 'Disable' : 'Enable'} ${name}`}
            look={isEnabled ? 'dangerous' : 'small'}
          />
        </AdminForm>
      </ConfirmedButton>
      <ConfirmedButton
        label="Revoke all its tokens"
        reasonAgainst={page.reasonAgainst('grants:revoke_client')}
        consequence={`Ends ${grants} of ${people}. They will have to go through ${name} again; consents stay.`}
      >
        <AdminForm page={page} useCase="grants.revoke_client" hidden={{ client_id: id }}>
          <SubmitRow label={`Revoke all tokens of ${name}`} look="dangerous" />
        </AdminForm>
      </ConfirmedButton>
      <ConfirmedButton
        label="Delete this client"
        reasonAgainst={page.reasonAgainst('clients:delete')}
        consequence={`Ends ${grants} of ${people} and forgets ${countedText(usage.consents, 'consent', 'consents')}. The history stays; the secrets cannot come back.`}
      >
        <AdminForm
          page={page}
          useCase="clients.delete"
          hidden={{ client_id: id, version }}
          next="/admin/clients"
          back={clientPath(id)}
        >
          <SubmitRow label={`Delete ${name} for ever`} look="dangerous" />
        </AdminForm>
      </ConfirmedButton>
    </Section>
  )
}
