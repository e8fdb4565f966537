/** The registration document as a form, group by group. */
import type { ClientView } from '#lib/admin/clients/client-document.ts'
import { formFromMetadata } from '#lib/admin/clients/form-metadata.ts'
import { clientSettings, type Setting } from '#lib/admin/clients/settings.ts'
import { clientMetadataSchema } from '#lib/protocol/client-metadata.ts'
import { type FieldState, fieldState } from '../_ui/draft-values.ts'
import { CheckField, SelectField, TextArea, TextField } from '../_ui/fields.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { SaveBar } from '../_ui/save-bar.tsx'
import { Section } from '../_ui/section.tsx'
import { duration } from '../_ui/time-words.ts'
import type { AdminPage } from '../admin-page.ts'
import { clientPath } from './paths.ts'
import { RedirectUrisField } from './redirect-uris-field.tsx'

type SettingsFormProps = { readonly page: AdminPage; readonly client: ClientView }

const labels = Object.fromEntries(
  clientSettings.flatMap(({ settings }) => settings.map(({ field, label }) => [field, label])),
)

export function SettingsForm({ page, client }: SettingsFormProps) {
  const { client_id: id, version, metadata } = client
  const stored = formFromMetadata(clientMetadataSchema.parse(metadata))
  const state = fieldState(page, 'clients.update', labels)
  const reason = page.reasonAgainst('clients:update')
  return (
    <Section title="Settings" description="Saved changes hold for requests that are under way, too.">
      <AdminForm
        page={page}
        useCase="clients.update"
        hidden={{ client_id: id, version }}
        back={clientPath(id)}
        labels={labels}
      >
        {clientSettings.map(({ title, settings }, index) => (
          <details
            key={title}
            className="settings-group"
            open={index < 2 || settings.some(({ field }) => state.error(field) !== null)}
          >
            <summary>{title}</summary>
            <div className="form">
              {settings.map(setting => (
                <SettingField
                  key={setting.field}
                  setting={setting}
                  stored={stored[setting.field] ?? ''}
                  state={state}
                  page={page}
                  client={client}
                />
              ))}
            </div>
          </details>
        ))}
        <SaveBar reasonAgainst={reason} />
      </AdminForm>
    </Section>
  )
}

type SettingFieldProps = SettingsFormProps & {
  readonly setting: Setting
  readonly stored: string
  readonly state: FieldState
}

function SettingField({ setting, stored, state, page, client }: SettingFieldProps) {
  const { field: name, label, input } = setting
  const shared = { name, label, help: <Help setting={setting} />, error: state.error(name) }
  const value = state.value(name, stored)
  if (name === 'redirect_uris')
    return <RedirectUrisField value={value} error={shared.error} kind={client.kind} issuer={page.issuer} />
  switch (input.kind) {
    case 'check':
      return <CheckField {...shared} isOn={value === 'true'} />
    case 'lines':
      return <TextArea {...shared} value={value} rows={Math.min(8, value.split('\n').length + 1)} />
    case 'json':
      return <TextArea {...shared} value={value} rows={4} />
    case 'choice': {
      const empty = input.empty === undefined ? [] : ([['', input.empty]] as const)
      return (
        <SelectField
          {...shared}
          value={value}
          options={[...empty, ...input.options.map(option => [option, option] as const)]}
        />
      )
    }
    case 'seconds':
      return <TextField {...shared} value={value} isMono suffix={wordsFor(value, input.empty)} />
    default:
      return <TextField {...shared} value={value} isMono={input.kind === 'words'} />
  }
}

function Help({ setting: { help, standard } }: { readonly setting: Setting }) {
  return (
    <>
      {help}{' '}
      {standard !== null && (
        <a className="standard" href={standard.href} rel="noreferrer">
          {standard.name}
        </a>
      )}
    </>
  )
}

function wordsFor(value: string, empty: string | undefined): string {
  if (value === '') return empty ?? ''
  return /^\d+$/.test(value) ? duration(Number(value)) : ''
}
