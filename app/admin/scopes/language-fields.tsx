/** The two texts in other languages: a row for each, and some rows to fill in. */
import { isRepeated, type LanguageRow, languageRows, rowField } from '#lib/admin/scopes/scope-form.ts'
import type { scopeMetadataSchema } from '#lib/protocol/registration/scope.ts'
import { languageTagSchema } from '#lib/protocol/text/language-tags.ts'
import type { AdminPage } from '../admin-page.ts'

type LanguageFieldsProps = {
  readonly page: AdminPage
  readonly label: string
  readonly localized: ReturnType<typeof scopeMetadataSchema.parse>['localized']
  readonly error: string | null
}

const useCases = ['scopes.create', 'scopes.update']

export function LanguageFields({ page, label, localized, error }: LanguageFieldsProps) {
  const posted = page.draft !== null && useCases.includes(page.draft.useCase) ? page.draft.fields : null
  const rows = languageRows(localized, posted)
  return (
    <fieldset
      className="field"
      id="localized"
      aria-describedby={error === null ? undefined : 'localized-error'}
    >
      <legend className="strong">{label}</legend>
      <p className="small muted">
        Users read the language of their page. Tags are those of{' '}
        <a href="https://www.rfc-editor.org/info/bcp47" rel="noreferrer">
          BCP 47
        </a>
        : “de”, “pt-BR”. A row without texts is left out; save to get more rows.
      </p>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name than their place
        <Row key={index} row={row} index={index} isWrong={error !== null && isWrong(rows, index)} />
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
  ['display_name', 'Permission', 'Bestellungen sehen'],
  ['description', 'Sentence', ''],
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
