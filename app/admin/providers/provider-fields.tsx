/** The form fields for new and registered providers. */

import { providerFields, providerForm } from '#lib/admin/providers/write-providers.ts'
import { CheckField, TextField } from '../_ui/fields.tsx'
import type { FieldState } from '../_ui/form.tsx'
import { SettingField } from '../resource/setting-fields.tsx'

export const displayNameHelp = 'On the button: “Continue with …”.'

export const providerLabels = { ...providerForm.labels, is_public: 'The provider gave no secret' }

type ProviderFieldsProps = {
  readonly state: FieldState
  /** The registered provider; `null` for a new one. */
  readonly stored: { readonly client_id: string; readonly has_secret: boolean } | null
}

/** The fields for the authentication of this server at the provider. */
export function CredentialFields({ state: { text, check, error }, stored }: ProviderFieldsProps) {
  return (
    <>
      <TextField
        {...text('client_id', stored?.client_id ?? '')}
        help="The client ID that the provider gave this server."
        isRequired
        isMono
      />
      <TextField
        name="client_secret"
        label={stored?.has_secret ? 'New client secret' : 'Client secret'}
        help={
          stored?.has_secret
            ? 'The stored secret is encrypted and cannot be shown. Leave it empty to keep it.'
            : 'Stored encrypted; it cannot be shown again.'
        }
        type="password"
        value=""
        error={error('client_secret')}
        autoComplete="new-password"
        isMono
      />
      <CheckField
        {...check('is_public', stored !== null && !stored.has_secret)}
        help="This server is a public client there and uses PKCE without a secret."
      />
    </>
  )
}

/** The fields of the settings of sign-ins there, such as scopes and email domains. */
export function ReachFields({ state, stored }: ProviderFieldsProps) {
  const texts = providerForm.textsOf(
    stored === null ? { scope: providerFields.scope.parse(undefined) } : { ...stored },
  )
  return providerForm.groups
    .flatMap(({ settings }) => settings)
    .map(setting => (
      <SettingField key={setting.field} setting={setting} stored={texts[setting.field] ?? []} state={state} />
    ))
}
