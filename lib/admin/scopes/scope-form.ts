/** A scope's document as a form has it: one field each, and a row of three for each further language. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import { type ScopeMetadataRead, scopeMetadataFields } from '#lib/protocol/registration/scope.ts'
import type { FieldError } from '../admin-result.ts'
import { rfc, settingForm } from '../setting-form.ts'
import type { FormFields } from '../use-case.ts'

/** A row for each language that there is, and so many to fill in. */
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

/** What was posted. Empty fields are left out, which means their defaults. */
export function scopeFromForm(fields: FormFields): Readonly<Record<string, JsonValue>> {
  const given = ['name', 'kind'].map(field => [field, fields[field]?.at(-1)?.trim() ?? ''] as const)
  return {
    ...Object.fromEntries(given.filter(([, text]) => text !== '')),
    ...scopeForm.documentOf(fields),
    ...(hasRows(fields) ? { localized: localizedFromRows(postedRows(fields)) } : {}),
  }
}

/** The fields of a scope's document that the form has. */
export function scopeFieldsIn(fields: FormFields): readonly string[] {
  const posted = Object.keys(fields).filter(name => name in scopeMetadataFields)
  return hasRows(fields) ? [...posted, 'localized'] : posted
}

function hasRows(fields: FormFields): boolean {
  return Object.keys(fields).some(name => name.startsWith('language_'))
}

/** The rows of a form: those posted, or those of the stored document, and some empty ones. */
export function languageRows(
  localized: ScopeMetadataRead['localized'],
  posted: FormFields | null,
): readonly LanguageRow[] {
  const rows = posted === null ? storedRows(localized) : postedRows(posted)
  const empty = { language: '', display_name: '', description: '' }
  return [...rows, ...Array.from({ length: emptyRows }, () => empty)]
}

/** The name of one field of a row. */
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

/** Added to a language that already has a row. No language tag contains it. */
const again = ' (again)'

/** The languages that appear in several rows: keeping one row would lose the texts of another. */
export function repeatedLanguages(localized: JsonValue | undefined): readonly string[] {
  const names = isRecord(localized) ? Object.keys(localized) : []
  return names.filter(name => name.endsWith(again)).map(name => name.split(again)[0] ?? '')
}

/** Whether an error is about such a row, whose language is not a valid tag. */
export function isAboutRepeated({ path }: FieldError): boolean {
  return path.includes(again)
}

/** Texts without a language keep their row: the empty tag is refused, and the admin reads why. */
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

/** Whether an earlier row has the same language; tags have no case (RFC 5646 2.1.1). */
export function isRepeated(rows: readonly LanguageRow[], index: number): boolean {
  const tag = rows[index]?.language.toLowerCase() ?? ''
  return tag !== '' && rows.slice(0, index).some(({ language }) => language.toLowerCase() === tag)
}
