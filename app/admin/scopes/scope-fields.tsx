/** The form fields for new and registered scopes. */

import {
  isRepeated,
  type LanguageRow,
  languageRows,
  rowField,
  scopeForm,
} from '#lib/admin/scopes/scope-form.ts'
import { createScope, updateScope } from '#lib/admin/scopes/write-scopes.ts'
import type { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { languageTagSchema } from '#lib/protocol/text/language-tags.ts'
import { RadioCards } from '../_ui/fields.tsx'
import type { FieldState } from '../_ui/form.tsx'
import type { AdminPage } from '../admin-page.tsx'
import { SettingField, SettingGroups } from '../resource/setting-fields.tsx'

type ScopeFieldsProps = {
  readonly page: AdminPage
  readonly state: FieldState
  readonly stored: ReturnType<typeof scopeMetadataSchema.parse>
  /** Whether the kind is fixed, because the scope is a standard one. */
  readonly hasFixedKind: boolean
}

const kinds = [
  {
    value: 'resource',
    title: 'Access to an API',
    text: 'Included in access tokens; the API uses it to authorize requests.',
  },
  { value: 'identity', title: 'About the user', text: 'Adds claims to ID tokens and userinfo.' },
]

export function ScopeFields({ page, state, stored, hasFixedKind }: ScopeFieldsProps) {
  return (
    <>
      {hasFixedKind ? (
        <input type="hidden" name="kind" value={stored.kind} />
      ) : (
        <RadioCards
          name="kind"
          label={scopeForm.labels.kind ?? ''}
          value={state.value('kind', stored.kind)}
          cards={kinds}
          error={state.error('kind')}
        />
      )}
      <SettingGroups form={scopeForm} document={stored} state={state}>
        {field =>
          field.setting.field === 'localized' ? (
            <LanguageFields {...{ page, state }} label={field.setting.label} localized={stored.localized} />
          ) : (
            <SettingField {...field} />
          )
        }
      </SettingGroups>
    </>
  )
}

type LanguageFieldsProps = {
  readonly page: AdminPage
  readonly state: FieldState
  readonly label: string
  readonly localized: ReturnType<typeof scopeMetadataSchema.parse>['localized']
}

const useCases: readonly string[] = [createScope.name, updateScope.name]

function LanguageFields({ page, state, label, localized }: LanguageFieldsProps) {
  const error = state.error('localized')
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

/** Whether this row is one to correct: its language is invalid or repeated. */
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
