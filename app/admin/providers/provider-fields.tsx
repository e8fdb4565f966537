/** What both a new provider and a registered one are asked: who we are there, and whose people come from there. */
import type { FieldState } from '../_ui/draft-values.ts'
import { CheckField, TextArea, TextField } from '../_ui/fields.tsx'

/** The secret's own label depends on whether one is stored. */
export const providerLabels = {
  scheme: 'Scheme',
  display_name: 'Name',
  issuer: 'Issuer',
  client_id: 'Client id',
  client_secret: 'Client secret',
  is_public: 'The provider gave no secret',
  domains: 'E-mail domains',
  enabled: 'Enabled',
} as const

type Stored = {
  readonly client_id: string
  readonly has_secret: boolean
  readonly domains: readonly string[]
  readonly enabled: boolean
}

/** `stored: null`: there is none yet. */
type ProviderFieldsProps = { readonly state: FieldState; readonly stored: Stored | null }

export function CredentialFields({ state: { value, error }, stored }: ProviderFieldsProps) {
  return (
    <>
      <TextField
        name="client_id"
        label={providerLabels.client_id}
        help="Our name there, as the provider gave it to you."
        value={value('client_id', stored?.client_id ?? '')}
        error={error('client_id')}
        isRequired
        isMono
      />
      <TextField
        name="client_secret"
        label={stored?.has_secret ? 'New client secret' : providerLabels.client_secret}
        help={
          stored?.has_secret
            ? 'One is stored, encrypted; nobody can read it back. Empty: it stays.'
            : 'Stored encrypted; nobody can read it back.'
        }
        type="password"
        value=""
        error={error('client_secret')}
        autoComplete="new-password"
        isMono
      />
      <CheckField
        name="is_public"
        label={providerLabels.is_public}
        help="We are a public client there; PKCE alone proves who asks."
        isOn={value('is_public', String(stored !== null && !stored.has_secret)) === 'true'}
        error={error('is_public')}
      />
    </>
  )
}

export function ReachFields({ state: { value, error }, stored }: ProviderFieldsProps) {
  return (
    <>
      <TextArea
        name="domains"
        label={providerLabels.domains}
        help="One per line. People who enter such an address are sent there; a domain leads to one provider."
        value={value('domains', stored?.domains.join('\n') ?? '')}
        error={error('domains')}
        rows={Math.min(8, (stored?.domains.length ?? 0) + 2)}
      />
      <CheckField
        name="enabled"
        label={providerLabels.enabled}
        help="A disabled provider is not offered to anybody, and whoever came from there is signed out. You can test it all the same."
        isOn={value('enabled', String(stored?.enabled ?? false)) === 'true'}
        error={error('enabled')}
      />
    </>
  )
}
