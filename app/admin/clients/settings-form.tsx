/** The settings of a client as a form, group by group. */

import type { ComponentProps } from 'react'
import {
  choicesOf,
  clientSettings,
  formFromMetadata,
  type Setting,
  type SettingChoices,
  settingChoices,
} from '#lib/admin/clients/client-form.ts'
import type { ClientView } from '#lib/admin/clients/client-resource.ts'
import { clientMetadataSchema } from '#lib/protocol/registration/client.ts'
import { type FieldState, fieldState } from '../_ui/draft-values.ts'
import { CheckBoxes, CheckField, rowsFor, SelectField, TextArea, TextField } from '../_ui/fields.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { Section } from '../_ui/page-parts.tsx'
import { RedirectUriAdvice } from '../_ui/redirect-uri-advice.tsx'
import { SaveBar } from '../_ui/save-bar.tsx'
import { duration } from '../_ui/time-words.ts'
import type { AdminPage } from '../admin-page.ts'
import { clientPath } from '../resource/paths.ts'

type SettingsFormProps = { readonly page: AdminPage; readonly client: ClientView }

const labels = Object.fromEntries(
  clientSettings.flatMap(({ settings }) => settings.map(({ field, label }) => [field, label])),
)

export async function SettingsForm({ page, client }: SettingsFormProps) {
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
          advice={{
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

type RedirectUrisFieldProps = {
  readonly name: string
  readonly label: string
  readonly help: string
  readonly value: string
  readonly error: string | null
  readonly advice: Omit<ComponentProps<typeof RedirectUriAdvice>, 'of'>
}

/** One per line, with advice while the admin types. */
export function RedirectUrisField({ advice, help, ...field }: RedirectUrisFieldProps) {
  return (
    <div>
      <TextArea {...field} help={`${help} One per line.`} rows={rowsFor(field.value)} />
      <RedirectUriAdvice of={field.name} {...advice} />
    </div>
  )
}

function wordsFor(value: string, absent: string | undefined): string {
  if (value === '') return absent ?? ''
  return /^\d+$/.test(value) ? duration(Number(value)) : ''
}
