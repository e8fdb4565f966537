/** The fields that new and registered scopes have alike. */
import type { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import type { FieldState } from '../_ui/draft-values.ts'
import { CheckField, RadioCards, TextArea, TextField } from '../_ui/fields.tsx'
import type { AdminPage } from '../admin-page.ts'
import { LanguageFields } from './language-fields.tsx'

export type ScopeFieldsProps = {
  readonly page: AdminPage
  readonly state: FieldState
  readonly stored: ReturnType<typeof scopeMetadataSchema.parse>
  /** A standard scope keeps its kind. */
  readonly hasFixedKind: boolean
}

export const scopeLabels = {
  name: 'Name',
  kind: 'Kind',
  display_name: 'Permission in a few words',
  description: 'Description',
  localized: 'In other languages',
  required: 'Required',
  emphasize: 'Sensitive',
  claims: 'Claims',
  audience: 'Audience',
  show_in_discovery: 'Listed in the discovery document',
  enabled: 'Enabled',
} as const

const kinds = [
  {
    value: 'resource',
    title: 'Access to an API',
    text: 'Access tokens contain it, and the API decides by it.',
  },
  { value: 'identity', title: 'About the user', text: 'Adds claims to ID tokens and userinfo.' },
]

export function ScopeFields(props: ScopeFieldsProps) {
  const { state, stored, hasFixedKind } = props
  return (
    <>
      {hasFixedKind ? (
        <input type="hidden" name="kind" value={stored.kind} />
      ) : (
        <RadioCards
          name="kind"
          label={scopeLabels.kind}
          value={state.value('kind', stored.kind)}
          cards={kinds}
          error={state.error('kind')}
        />
      )}
      <ConsentFields {...props} />
      <TokenFields {...props} />
    </>
  )
}

function ConsentFields({ page, state, stored }: ScopeFieldsProps) {
  const { value, error } = state
  return (
    <details className="settings-group" open>
      <summary>On the consent page</summary>
      <div className="form">
        <TextField
          name="display_name"
          label={scopeLabels.display_name}
          help="Such as “See your orders”. Empty: a built-in text for standard scopes, the name for others."
          value={value('display_name', stored.display_name ?? '')}
          error={error('display_name')}
        />
        <TextArea
          name="description"
          label={scopeLabels.description}
          help="One sentence about what the app can do with it, in the words of users."
          value={value('description', stored.description ?? '')}
          error={error('description')}
          rows={2}
          isMono={false}
        />
        <LanguageFields
          page={page}
          label={scopeLabels.localized}
          localized={stored.localized}
          error={error('localized')}
        />
        <CheckField
          name="required"
          label={scopeLabels.required}
          help="It cannot be declined: users who do not want it cannot use the app."
          isOn={value('required', String(stored.required)) === 'true'}
          error={error('required')}
        />
        <CheckField
          name="emphasize"
          label={scopeLabels.emphasize}
          help="Marked as sensitive, and not selected until the user selects it."
          isOn={value('emphasize', String(stored.emphasize)) === 'true'}
          error={error('emphasize')}
        />
      </div>
    </details>
  )
}

function TokenFields({ state, stored }: ScopeFieldsProps) {
  const { value, error } = state
  return (
    <details className="settings-group" open>
      <summary>Claims and tokens</summary>
      <div className="form">
        <TextArea
          name="claims"
          label={scopeLabels.claims}
          help="One per line. With this scope the app, or the API, gets these claims of the user."
          value={value('claims', stored.claims.join('\n'))}
          error={error('claims')}
          rows={Math.min(10, stored.claims.length + 2)}
        />
        <TextField
          name="audience"
          label={scopeLabels.audience}
          help={
            <>
              For APIs: the <code>aud</code> of tokens with this scope. Empty: the audience of all of this
              server’s APIs.{' '}
              <a href="https://www.rfc-editor.org/rfc/rfc9068.html#section-3" rel="noreferrer">
                RFC 9068 §3
              </a>
            </>
          }
          value={value('audience', stored.audience ?? '')}
          error={error('audience')}
          isMono
        />
        <CheckField
          name="show_in_discovery"
          label={scopeLabels.show_in_discovery}
          help="Scopes that are not listed work as well."
          isOn={value('show_in_discovery', String(stored.show_in_discovery)) === 'true'}
          error={error('show_in_discovery')}
        />
        <CheckField
          name="enabled"
          label={scopeLabels.enabled}
          help="A disabled scope is treated as unknown: requests that name it are refused."
          isOn={value('enabled', String(stored.enabled)) === 'true'}
          error={error('enabled')}
        />
      </div>
    </details>
  )
}
