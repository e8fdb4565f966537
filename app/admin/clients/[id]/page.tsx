/** The page with the settings of one client, and the actions that disable, enable or delete it, or revoke its tokens. */

import type { AdminLists } from '#lib/admin/admin-ports.ts'
import { type ClientView, clientForm } from '#lib/admin/clients/client-resource.ts'
import { deleteClient, setClientEnabled, updateClient } from '#lib/admin/clients/write-clients.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { revokeClient } from '#lib/admin/grants/revoke-access.ts'
import { clientPath } from '#lib/admin/page-paths.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { clientMetadataSchema, isOfflineIdle } from '#lib/protocol/registration/client.ts'
import { scopeWords } from '#lib/protocol/wire/scopes.ts'
import { ConfirmedForm } from '../../_ui/confirmed-form.tsx'
import { AdminForm, fieldState } from '../../_ui/form.tsx'
import { Notice } from '../../_ui/notice.tsx'
import { Section } from '../../_ui/page-parts.tsx'
import { SaveBar } from '../../_ui/post-form.tsx'
import type { AdminPage } from '../../admin-page.tsx'
import { DangerZone } from '../../resource/danger-zone.tsx'
import { resourcePage, type Shown } from '../../resource/resource-pages.tsx'
import { SettingGroups } from '../../resource/setting-fields.tsx'
import { ClientField } from '../client-field.tsx'
import { clientName, clientPages } from '../client-pages.tsx'
import { settingChoices } from '../setting-choices.ts'

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

type SettingsFormProps = { readonly page: AdminPage; readonly client: ClientView }

async function SettingsForm({ page, client }: SettingsFormProps) {
  const { client_id: id, version, metadata } = client
  const registered = await settingChoices(page.ports)
  const state = fieldState(page, updateClient, clientForm.labels)
  const document = clientMetadataSchema.parse(metadata)
  const about = {
    kind: client.kind,
    applicationType: document.application_type,
    issuer: page.issuer,
    stored: document.redirect_uris,
  }
  return (
    <Section title="Settings" description="Changes also apply to requests in progress.">
      {isOfflineIdle(scopeWords(document.scope), document.grant_types) && (
        <Notice kind="warn">
          offline_access has no effect: add the grant type refresh_token, or remove the scope offline_access.
        </Notice>
      )}
      <AdminForm
        page={page}
        useCase={updateClient}
        hidden={{ client_id: id, version }}
        back={clientPath(id)}
        labels={clientForm.labels}
        shown={clientForm.textsOf(document)}
      >
        <SettingGroups form={clientForm} document={document} state={state}>
          {field => <ClientField {...{ ...field, registered, about }} />}
        </SettingGroups>
        <SaveBar />
      </AdminForm>
    </Section>
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
  const isUsed = usage.grants.count > 0
  const ends = isUsed
    ? `Ends ${countedText(usage.grants, 'grant', 'grants')} of ${users}.`
    : 'No user has access through it.'
  const consents =
    usage.consents.count === 0 ? '' : ` Deletes ${countedText(usage.consents, 'consent', 'consents')}.`
  return (
    <DangerZone
      page={page}
      area="clients"
      id={id}
      hidden={{ client_id: id, version }}
      name={name}
      enabling={{
        useCase: setClientEnabled,
        isEnabled,
        consequence: isEnabled
          ? `Users can no longer sign in to ${name}. ${ends} Its own tokens are revoked; consents are kept. You can enable it again; users must then sign in to it again.`
          : `Users can sign in to ${name} again.`,
      }}
      deletion={{
        useCase: deleteClient,
        consequence: `${ends}${consents} The history is kept; the secrets cannot be restored.`,
      }}
    >
      <ConfirmedForm
        page={page}
        useCase={revokeClient}
        hidden={{ client_id: id }}
        label="Revoke all tokens"
        consequence={
          isUsed
            ? `${ends} A new sign-in to ${name} is then required; consents are kept.`
            : `${ends} Its own tokens are revoked.`
        }
        verb={`Revoke all tokens of ${name}`}
      />
    </DangerZone>
  )
}
