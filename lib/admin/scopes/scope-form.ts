/** Converts a scope's document from and to a form, which has a row of three fields for each language. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { type ScopeMetadataRead, scopeMetadataFields } from '#lib/protocol/registration/scope.ts'
import type { FieldError } from '../admin-result.ts'
import { rfc, settingForm } from '../setting-form.ts'
import type { FormFields } from '../use-case.ts'

/** The number of empty rows after the rows of the stored languages. */
const emptyRows = 2

export type LanguageRow = {
  readonly language: string
  readonly display_name: string
  readonly description: string
}

export const scopeForm = settingForm(
  scopeMetadataFields,
  {
    description: { kind: 'long_text' },
    claims: { kind: 'words' },
    always_include_in_id_token: { kind: 'words' },
  },
  group => (group === 'Claims and tokens' ? rfc(9068, '3') : null),
)

/** The document of a posted form. An empty text is left out, which means its default. */
export function scopeFromForm(fields: FormFields): Readonly<Record<string, JsonValue>> {
  const given = ['name', 'kind'].map(field => [field, fields[field]?.at(-1)?.trim() ?? ''] as const)
  return {
    ...Object.fromEntries(given.filter(([, text]) => text !== '')),
    ...scopeForm.documentOf(fields),
    ...(hasRows(fields) ? { localized: localizedFromRows(postedRows(fields)) } : {}),
  }
}

/** The names of the document's fields that a posted form has. */
export function scopeFieldsIn(fields: FormFields): readonly string[] {
  const posted = Object.keys(fields).filter(name => name in scopeMetadataFields)
  return hasRows(fields) ? [...posted, 'localized'] : posted
}

function hasRows(fields: FormFields): boolean {
  return Object.keys(fields).some(name => name.startsWith('language_'))
}

/** The language rows of a form: the posted rows or the rows of the stored document, and some empty ones. */
export function languageRows(
  localized: ScopeMetadataRead['localized'],
  posted: FormFields | null,
): readonly LanguageRow[] {
  const rows = posted === null ? storedRows(localized) : postedRows(posted)
  const empty = { language: '', display_name: '', description: '' }
  return [...rows, ...Array.from({ length: emptyRows }, () => empty)]
}

/** The name of a form field of a language row, such as `language_0_description`. */
export function rowField(index: number, field: keyof LanguageRow): string {
  return `language_${index}_${field}`
}

function storedRows(localized: ScopeMetadataRead['localized']): readonly LanguageRow[] {
  return Object.entries(localized).map(([language, texts]) => ({
    language,
    display_name: texts.display_name ?? '',
    description: texts.description ?? '',
  }))
}

function postedRows(fields: FormFields): readonly LanguageRow[] {
  const indexes = Object.keys(fields).flatMap(name => /^language_(\d{1,3})_language$/.exec(name)?.[1] ?? [])
  const text = (index: string, field: keyof LanguageRow) =>
    fields[rowField(Number(index), field)]?.at(-1)?.trim() ?? ''
  return indexes
    .map(index => ({
      language: text(index, 'language'),
      display_name: text(index, 'display_name'),
      description: text(index, 'description'),
    }))
    .filter(row => Object.values(row).some(value => value !== ''))
}

/** A suffix for a language that already has a row. It is not valid in a language tag. */
const again = ' (again)'

/** Languages with several rows. These are refused, because keeping one row would lose the texts of the others. */
export function repeatedLanguages(localized: JsonValue | undefined): readonly string[] {
  const names = isRecord(localized) ? Object.keys(localized) : []
  return names.filter(name => name.endsWith(again)).map(name => name.split(again)[0] ?? '')
}

/** Whether an error is about a repeated language, whose suffix makes its tag invalid. */
export function isAboutRepeated({ path }: FieldError): boolean {
  return path.includes(again)
}

/** Converts rows to the document's field. A row without a language is kept, so that its empty tag is refused. */
function localizedFromRows(rows: readonly LanguageRow[]): Readonly<Record<string, JsonValue>> {
  const written = rows.map(({ language, display_name, description }, index) => [
    language + again.repeat(isRepeated(rows, index) ? index : 0),
    {
      ...(display_name === '' ? {} : { display_name }),
      ...(description === '' ? {} : { description }),
    },
  ])
  return Object.fromEntries(written)
}

/** Whether an earlier row has the same language, if this one has any. Tags are not case-sensitive (RFC 5646 2.1.1). */
export function isRepeated(rows: readonly LanguageRow[], index: number): boolean {
  const tag = rows[index]?.language.toLowerCase() ?? ''
  return tag !== '' && rows.slice(0, index).some(({ language }) => language.toLowerCase() === tag)
}
