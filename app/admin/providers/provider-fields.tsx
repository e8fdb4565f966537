/** The form fields for new and registered providers. */

import { providerForm } from '#lib/admin/providers/write-providers.ts'
import { type PresetName, providerPresets } from '#lib/protocol/registration/provider-presets.ts'
import { presetFields } from '#lib/protocol/registration/provider-rules.ts'
import { CheckField, TextField } from '../_ui/fields.tsx'
import type { FieldState } from '../_ui/form.tsx'
import { SettingField } from '../resource/setting-fields.tsx'

export const displayNameHelp = 'On the button: “Continue with …”.'

export const providerLabels = { ...providerForm.labels, is_public: 'The provider gave no secret' }

type ProviderFieldsProps = {
  readonly state: FieldState
  readonly preset: PresetName
  /** The registered provider; `null` for a new one. */
  readonly stored:
    | (Readonly<Record<string, unknown>> & {
        readonly client_id: string
        readonly has_secret: boolean
      })
    | null
}

/** The fields for the authentication of this server at the provider. */
export function CredentialFields({ state: { text, check, error }, preset, stored }: ProviderFieldsProps) {
  const { credentials, hasPublicClients } = providerPresets[preset]
  const isPublic = stored !== null && !stored.has_secret
  return (
    <>
      <TextField
        {...text('client_id', stored?.client_id ?? '')}
        label={credentials.clientId}
        help="The client ID that the provider gave this server."
        isRequired
        isMono
      />
      <TextField
        name="client_secret"
        label={stored?.has_secret ? `New: ${credentials.secret}` : credentials.secret}
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
      {(hasPublicClients || isPublic) && (
        <CheckField
          {...check('is_public', isPublic)}
          help="This server is a public client there and uses PKCE without a secret."
        />
      )}
    </>
  )
}

/** The fields that only this kind of provider has. */
export function PresetFields(props: ProviderFieldsProps) {
  const own: ReadonlySet<string> = new Set(providerPresets[props.preset].fields)
  return <Settings {...props} isShown={field => own.has(field)} />
}

/** The fields of the settings of sign-ins there, such as scopes and email domains. */
export function ReachFields(props: ProviderFieldsProps) {
  return <Settings {...props} isShown={field => !(field in presetFields)} />
}

type SettingsProps = ProviderFieldsProps & { readonly isShown: (field: string) => boolean }

function Settings({ state, preset, stored, isShown }: SettingsProps) {
  const { scope, reauthentication } = providerPresets[preset]
  const texts = providerForm.textsOf(stored ?? { scope, reauthentication, pkce: true })
  return providerForm.groups
    .flatMap(({ settings }) => settings)
    .filter(({ field }) => isShown(field))
    .map(setting => (
      <SettingField key={setting.field} setting={setting} stored={texts[setting.field] ?? []} state={state} />
    ))
}
