/** The fields that new and registered providers have alike. */

import type { Reauthentication } from '#lib/protocol/vocabulary.ts'
import { CheckField, SelectField, TextArea, TextField } from '../_ui/fields.tsx'
import type { FieldState } from '../_ui/form.tsx'

export const displayNameHelp = 'On the button: “Continue with …”.'

/** The label of the secret also depends on whether one is stored. */
export const providerLabels = {
  scheme: 'Scheme',
  display_name: 'Name',
  issuer: 'Issuer',
  client_id: 'Client ID',
  client_secret: 'Client secret',
  is_public: 'The provider gave no secret',
  domains: 'Email domains',
  reauthentication: 'New sign-in',
  sign_out_at_provider: 'Sign out at the provider',
  enabled: 'Enabled',
} as const

type ProviderFieldsProps = {
  readonly state: FieldState
  /** `null`: a new provider. */
  readonly stored: {
    readonly client_id: string
    readonly has_secret: boolean
    readonly domains: readonly string[]
    readonly reauthentication: Reauthentication
    readonly sign_out_at_provider: boolean
    readonly enabled: boolean
  } | null
}

/** How this server authenticates at the provider. */
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
        label={stored?.has_secret ? 'New client secret' : providerLabels.client_secret}
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

const reauthenticationOptions = [
  ['prompt', 'prompt=login and max_age'],
  ['auth_time', 'prompt=login and max_age, and auth_time must be reported'],
  ['select_account', 'prompt=select_account, as for Google'],
] as const satisfies readonly (readonly [Reauthentication, string])[]

/** Which users sign in there. */
export function ReachFields({ state: { text, check }, stored }: ProviderFieldsProps) {
  return (
    <>
      <TextArea
        {...text('domains', stored?.domains.join('\n') ?? '')}
        help="One per line. Users with such an email address sign in at this provider. Each domain can belong to one provider only."
        rows={Math.min(8, (stored?.domains.length ?? 0) + 2)}
      />
      <SelectField
        {...text('reauthentication', stored?.reauthentication ?? 'prompt')}
        help="What is sent to the provider when an app requires a new sign-in (prompt=login or max_age). If the provider need not report auth_time and does not, the time of its callback counts."
        options={reauthenticationOptions}
      />
      <CheckField
        {...check('sign_out_at_provider', stored?.sign_out_at_provider ?? false)}
        help="Users who sign out here are redirected to the provider, which signs them out and returns them. Save, then register the post-logout redirect URI from this page there."
      />
      <CheckField
        {...check('enabled', stored?.enabled ?? false)}
        help="A disabled provider is not offered to users, and users who came from there are signed out. You can still test it."
      />
    </>
  )
}
