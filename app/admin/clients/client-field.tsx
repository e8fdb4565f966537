/** A field of the settings of a client, which is stored or about to be created. */
import type { ComponentProps } from 'react'
import { SettingBoxes, SettingField, type SettingFieldProps } from '../resource/setting-fields.tsx'
import { RedirectUrisField } from './redirect-uris-field.tsx'
import type { SettingChoices } from './setting-choices.ts'

type ClientFieldProps = SettingFieldProps & {
  readonly registered: SettingChoices
  readonly about: ComponentProps<typeof RedirectUrisField>['about']
}

/**
 * Draws a field. Two kinds need more than their schema: redirect URIs have advice, and some check boxes list registered objects or
 * grant types.
 */
export function ClientField({ registered, about, ...field }: ClientFieldProps) {
  const { setting, stored, state } = field
  const { input, field: name, label, help } = setting
  if (input.kind === 'boxes') return <SettingBoxes {...field} registered={registered[input.of]} />
  if (input.kind !== 'redirect_uris') return <SettingField {...field} />
  return (
    <RedirectUrisField
      {...{ name, label, help, about }}
      error={state.error(name)}
      value={state.value(name, stored[0] ?? '')}
    />
  )
}
