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

const keptSecret = 'The stored one is encrypted and cannot be shown. Leave it empty to keep it.'
const newSecret = 'Stored encrypted; it cannot be shown again.'

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
        label={stored?.has_secret ? `New ${credentials.secret.toLowerCase()}` : credentials.secret}
        help={`${credentials.secretAdvice} ${stored?.has_secret ? keptSecret : newSecret}`.trim()}
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

/** The switch for users. */
export function EnabledField(props: ProviderFieldsProps) {
  return <Settings {...props} isShown={field => field === 'enabled'} />
}

/** The fields of a new provider that have good values without an administrator, folded unless one of them has an error. */
export function FoldedReachFields(props: ProviderFieldsProps) {
  const isOpen = providerForm.groups
    .flatMap(({ settings }) => settings)
    .some(({ field }) => isReach(field) && props.state.error(field) !== null)
  return (
    <details className="settings-group" open={isOpen}>
      <summary>More settings</summary>
      <div className="form">
        <ReachFields {...props} />
      </div>
    </details>
  )
}

function isReach(field: string): boolean {
  return !(field in presetFields) && field !== 'enabled'
}

/** The fields of the settings of sign-ins there, such as scopes and email domains. */
export function ReachFields(props: ProviderFieldsProps) {
  return <Settings {...props} isShown={isReach} />
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
