/** The fields that new and registered scopes have alike. */

import { isRepeated, type LanguageRow, languageRows, rowField } from '#lib/admin/scopes/scope-form.ts'
import type { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { languageTagSchema } from '#lib/protocol/text/language-tags.ts'
import { CheckField, RadioCards, TextArea, TextField } from '../_ui/fields.tsx'
import type { FieldState } from '../_ui/form.tsx'
import type { AdminPage } from '../admin-page.tsx'

type ScopeFieldsProps = {
  readonly page: AdminPage
  readonly state: FieldState
  readonly stored: ReturnType<typeof scopeMetadataSchema.parse>
  /** A standard scope keeps its kind. */
  readonly hasFixedKind: boolean
}

export const scopeLabels = {
  name: 'Name',
  kind: 'Kind',
  display_name: 'Name on the consent page',
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
    text: 'Included in access tokens; the API uses it to authorize requests.',
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
  const { error, text, check } = state
  return (
    <details className="settings-group" open>
      <summary>On the consent page</summary>
      <div className="form">
        <TextField
          {...text('display_name', stored.display_name ?? '')}
          help="Such as “See your orders”. Empty: a built-in text for standard scopes, the name for others."
        />
        <TextArea
          {...text('description', stored.description ?? '')}
          help="One sentence about what the app can do with it, in the words of users."
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
          {...check('required', stored.required)}
          help="Users cannot decline it if they want to use the app."
        />
        <CheckField
          {...check('emphasize', stored.emphasize)}
          help="Marked as sensitive, and not selected until the user selects it."
        />
      </div>
    </details>
  )
}

function TokenFields({ state, stored }: ScopeFieldsProps) {
  const { text, check } = state
  return (
    <details className="settings-group" open>
      <summary>Claims and tokens</summary>
      <div className="form">
        <TextArea
          {...text('claims', stored.claims.join('\n'))}
          help="One per line. The user’s claims that the client or API gets with this scope."
          rows={Math.min(10, stored.claims.length + 2)}
        />
        <TextField
          {...text('audience', stored.audience ?? '')}
          help={
            <>
              For APIs: the <code>aud</code> of tokens with this scope. Empty: the audience of all of this
              server’s APIs.{' '}
              <a href="https://www.rfc-editor.org/rfc/rfc9068.html#section-3" rel="noreferrer">
                RFC 9068 §3
              </a>
            </>
          }
          isMono
        />
        <CheckField
          {...check('show_in_discovery', stored.show_in_discovery)}
          help="Unlisted scopes still work."
        />
        <CheckField
          {...check('enabled', stored.enabled)}
          help="A disabled scope is treated as unknown: requests that name it are refused."
        />
      </div>
    </details>
  )
}

type LanguageFieldsProps = {
  readonly page: AdminPage
  readonly label: string
  readonly localized: ReturnType<typeof scopeMetadataSchema.parse>['localized']
  readonly error: string | null
}

const useCases = ['scopes.create', 'scopes.update']

function LanguageFields({ page, label, localized, error }: LanguageFieldsProps) {
  const posted =
    page.rejectedForm !== null && useCases.includes(page.rejectedForm.useCase)
      ? page.rejectedForm.fields
      : null
  const rows = languageRows(localized, posted)
  return (
    <fieldset
      className="field"
      id="localized"
      aria-describedby={error === null ? undefined : 'localized-error'}
    >
      <legend className="strong">{label}</legend>
      <p className="small muted">
        Shown to users of that language. Use the tags of{' '}
        <a href="https://www.rfc-editor.org/info/bcp47" rel="noreferrer">
          BCP 47
        </a>
        : “de”, “pt-BR”. Rows without text are ignored. Save to add more rows.
      </p>
      {rows.map((row, index) => (
        <Row
          key={rowField(index, 'language')}
          row={row}
          index={index}
          isWrong={error !== null && isWrong(rows, index)}
        />
      ))}
      {error !== null && (
        <p className="field-error" id="localized-error">
          {error}
        </p>
      )}
    </fieldset>
  )
}

const fields = [
  ['language', 'Language', 'de'],
  ['display_name', 'Translated name', 'Bestellungen sehen'],
  ['description', 'Description', ''],
] as const

/** Of several rows, the one to correct. */
function isWrong(rows: readonly LanguageRow[], index: number): boolean {
  const { language = '', ...texts } = rows[index] ?? {}
  const isEmpty = language === '' && Object.values(texts).every(text => text === '')
  return !isEmpty && (!languageTagSchema.safeParse(language).success || isRepeated(rows, index))
}

type RowProps = { readonly row: LanguageRow; readonly index: number; readonly isWrong: boolean }

function Row({ row, index, isWrong }: RowProps) {
  return (
    <div className="grid gap-2 sm:grid-cols-[6rem_minmax(0,2fr)_minmax(0,3fr)]">
      {fields.map(([field, label, example]) => (
        <label key={field} className="grid gap-1 small muted">
          <span className={index === 0 ? undefined : 'sm:sr-only'}>{label}</span>
          <input
            className="input small"
            type="text"
            name={rowField(index, field)}
            defaultValue={row[field]}
            placeholder={index === 0 && row.language === '' ? example : undefined}
            aria-invalid={field === 'language' && isWrong ? true : undefined}
            lang={field === 'language' ? undefined : languageTagSchema.safeParse(row.language).data}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
      ))}
    </div>
  )
}
