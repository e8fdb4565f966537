/** Every setting of one client, group by group, and what cannot be undone. */

import type { AdminLists } from '#lib/admin/admin-ports.ts'
import {
  choicesOf,
  clientSettings,
  formFromMetadata,
  type Setting,
  type SettingChoices,
  settingChoices,
} from '#lib/admin/clients/client-form.ts'
import type { ClientView } from '#lib/admin/clients/client-resource.ts'
import { countedText } from '#lib/admin/counted-text.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import { clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import { ConfirmedForm } from '../../_ui/confirmed-form.tsx'
import { CheckBoxes, CheckField, rowsFor, SelectField, TextArea, TextField } from '../../_ui/fields.tsx'
import { AdminForm, type FieldState, fieldState } from '../../_ui/form.tsx'
import { SaveBar } from '../../_ui/form-script.tsx'
import { Section } from '../../_ui/page-parts.tsx'
import { duration } from '../../_ui/time-words.ts'
import type { AdminPage } from '../../admin-page.tsx'
import { DangerZone } from '../../resource/danger-zone.tsx'
import { clientPath } from '../../resource/paths.ts'
import { resourcePage, type Shown } from '../../resource/resource-pages.tsx'
import { clientName, clientPages } from '../client-pages.tsx'
import { RedirectUrisField } from '../redirect-uris-field.tsx'

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

const labels = Object.fromEntries(
  clientSettings.flatMap(({ settings }) => settings.map(({ field, label }) => [field, label])),
)

async function SettingsForm({ page, client }: SettingsFormProps) {
  const { client_id: id, version, metadata } = client
  const stored = formFromMetadata(clientMetadataSchema.parse(metadata))
  const registered = await settingChoices(page.ports)
  const state = fieldState(page, 'clients.update', labels)
  return (
    <Section title="Settings" description="Changes also apply to requests in progress.">
      <AdminForm
        page={page}
        useCase="clients.update"
        hidden={{ client_id: id, version }}
        back={clientPath(id)}
        labels={labels}
      >
        {clientSettings.map(({ title, standard, settings }, index) => (
          <details
            key={title}
            className="settings-group"
            open={index < 2 || settings.some(({ field }) => state.error(field) !== null)}
          >
            <summary>{title}</summary>
            <div className="form">
              <a className="standard" href={standard.href} rel="noreferrer">
                {standard.name}
              </a>
              {settings.map(setting => (
                <SettingField
                  key={setting.field}
                  {...{ setting, registered, state, page, client }}
                  stored={stored[setting.field] ?? []}
                />
              ))}
            </div>
          </details>
        ))}
        <SaveBar reasonAgainst={page.reasonAgainst('clients:update')} />
      </AdminForm>
    </Section>
  )
}

type SettingFieldProps = SettingsFormProps & {
  readonly setting: Setting
  readonly stored: readonly string[]
  readonly registered: SettingChoices
  readonly state: FieldState
}

function SettingField({ setting, stored, registered, state, page, client }: SettingFieldProps) {
  const { field: name, label, help, input, absent } = setting
  const shared = { name, label, help, error: state.error(name) }
  const value = state.value(name, stored[0] ?? '')
  switch (input.kind) {
    case 'redirect_uris':
      return (
        <RedirectUrisField
          {...shared}
          value={value}
          about={{
            kind: client.kind,
            applicationType: clientMetadataSchema.parse(client.metadata).application_type,
            issuer: page.issuer,
            stored: (stored[0] ?? '').split('\n'),
          }}
        />
      )
    case 'boxes':
    case 'choices': {
      const error = shared.error?.replaceAll(/^Line \d+: /gm, '') ?? null
      const values = state.values(name, stored)
      return (
        <CheckBoxes
          {...shared}
          {...{ error, values }}
          help={absent === undefined ? help : `${help} None: ${absent}.`}
          options={choicesOf(setting, registered, values)}
        />
      )
    }
    case 'choice': {
      const empty = absent === undefined ? [] : ([['', absent]] as const)
      const options = [...empty, ...choicesOf(setting, registered, [])]
      return <SelectField {...shared} value={value} options={options} />
    }
    case 'check':
      return <CheckField {...shared} isOn={value === 'true'} />
    case 'list':
      return <TextArea {...shared} help={`${help} One per line.`} value={value} rows={rowsFor(value, 2)} />
    case 'json':
      return <TextArea {...shared} value={value} rows={rowsFor(value, 4)} />
    case 'number':
      return <TextField {...shared} value={value} isMono suffix={wordsFor(value, absent)} />
    default:
      return <TextField {...shared} value={value} />
  }
}

function wordsFor(value: string, absent: string | undefined): string {
  if (value === '') return absent ?? ''
  return /^\d+$/.test(value) ? duration(Number(value)) : ''
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
