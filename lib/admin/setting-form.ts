/** Makes form fields from the schema of a registration document, and converts its values from and to the texts of a form. */
import type { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { type FieldForm, type FieldText, formOf, textOf } from '#lib/protocol/registration/fields.ts'
import { parseStrictJson } from '#lib/protocol/text/json-text.ts'
import type { FormFields } from './use-case.ts'

/** The way in which a setting is entered: as its schema implies, or in one of the ways below. */
export type SettingInput =
  | FieldForm
  /** Check boxes for values that the server knows. */
  | { readonly kind: 'boxes'; readonly of: 'scopes' | 'providers' | 'grant_types' }
  /** A list of redirect URIs, with advice. */
  | { readonly kind: 'redirect_uris' }
  /** A list of words, separated by white space, commas or semicolons. */
  | { readonly kind: 'words' }
  /** A text of several lines. */
  | { readonly kind: 'long_text' }

export type Setting = FieldText & {
  /** The name in the registration document. */
  readonly field: string
  readonly input: SettingInput
}

type Standard = { readonly name: string; readonly href: string }

type SettingGroup = {
  readonly title: string
  /** The standard that defines most fields of the group. */
  readonly standard: Standard | null
  readonly settings: readonly Setting[]
}

export type SettingForm = {
  /** The groups in the order of the schema, with their settings. */
  readonly groups: readonly SettingGroup[]
  /** The labels of all fields, including fields without a group, for errors and comparisons. */
  readonly labels: Readonly<Record<string, string>>
  /** The texts to show for a document with its defaults: one text for each field, or one for each ticked box. */
  readonly textsOf: (read: Readonly<Record<string, unknown>>) => Readonly<Record<string, readonly string[]>>
  /**
   * The document of a posted form. An empty field is left out, which means its default; a single check box and the boxes of
   * scopes and grant types are never empty. An invalid number or invalid JSON stays a text, which the schema refuses at its
   * field.
   */
  readonly documentOf: (posted: FormFields) => Readonly<Record<string, JsonValue>>
}

/** Makes a form of the fields that have a group. `inputs` replaces the kind of input that a field's schema implies. */
export function settingForm(
  fields: Readonly<Record<string, z.ZodType>>,
  inputs: Readonly<Record<string, SettingInput>>,
  standardOf: (group: string) => Standard | null,
): SettingForm {
  const described = Object.entries(fields).flatMap(([field, schema]) => {
    const text = textOf(schema)
    return text === null ? [] : [{ ...text, field, input: inputs[field] ?? formOf(schema) }]
  })
  const settings = described.filter(({ group }) => group !== undefined)
  const titles = [...new Set(settings.flatMap(({ group }) => group ?? []))]
  return {
    groups: titles.map(title => ({
      title,
      standard: standardOf(title),
      settings: settings.filter(({ group }) => group === title),
    })),
    labels: Object.fromEntries(described.map(({ field, label }) => [field, label])),
    textsOf: read =>
      Object.fromEntries(settings.map(({ field, input }) => [field, shownTexts(input, read[field])])),
    documentOf: posted => documentOf(settings, posted),
  }
}

/** A link to a section of an RFC, such as RFC 7591 §2. */
export function rfc(number: number, section: string): Standard {
  return {
    name: `RFC ${number} §${section}`,
    href: `https://www.rfc-editor.org/rfc/rfc${number}.html#section-${section}`,
  }
}

export type Choice = readonly [value: string, text: string]

/** The choices of a setting with their texts, stored values that are no longer offered included. */
export function choicesOf(
  { input, choices: texts = {} }: Setting,
  stored: readonly string[],
  registered: readonly Choice[] = [],
): readonly Choice[] {
  const options = 'options' in input ? input.options : []
  const offered = [...registered, ...options.map(option => [option, option] as const)]
  const missing = stored.filter(word => !offered.some(([value]) => value === word))
  return [...offered, ...missing.map(word => [word, word] as const)].map(([value, text]) => [
    value,
    texts[value] ?? text,
  ])
}

function documentOf(settings: readonly Setting[], fields: FormFields): Readonly<Record<string, JsonValue>> {
  const given = settings.flatMap(setting => {
    const texts = fields[setting.field]?.map(text => text.replaceAll('\r\n', '\n').trim())
    const value = texts === undefined ? undefined : settingValue(setting, texts)
    return value === undefined ? [] : [[setting.field, value] as const]
  })
  return Object.fromEntries(given)
}

function shownTexts({ kind }: SettingInput, value: unknown): readonly string[] {
  if (kind === 'choices') return Array.isArray(value) ? value.map(String) : []
  return kind === 'boxes' ? wordsIn([shownText(value)]) : [shownText(value)]
}

function shownText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(String).join('\n')
  if (typeof value !== 'object') return String(value)
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2)
}

/**
 * Converts the texts of a setting to its value; `undefined` means its default. A group of check boxes posts a text for each
 * ticked box; of other inputs, also of a single check box, the last text counts.
 */
function settingValue({ field, input }: Setting, texts: readonly string[]): JsonValue | undefined {
  const text = texts.at(-1) ?? ''
  switch (input.kind) {
    case 'boxes':
      if (input.of === 'providers') return unlessEmpty(wordsIn(texts))
      return field === 'scope' ? wordsIn(texts).join(' ') : wordsIn(texts)
    case 'choices':
      return unlessEmpty(texts)
    case 'list':
    case 'redirect_uris':
      return unlessEmpty(linesOf(text))
    case 'words':
      return unlessEmpty([...new Set(text.split(/[\s,;]+/))])
    case 'check':
      return text === 'true'
    case 'number':
      return /^\d+$/.test(text) ? Number(text) : text || undefined
    case 'json':
      return text === '' ? undefined : jsonOrText(text)
    default:
      return text || undefined
  }
}

function wordsIn(texts: readonly string[]): string[] {
  return texts.flatMap(text => text.split(/\s+/)).filter(word => word !== '')
}

/** Leaves an empty list out, which means the default; most defaults are empty lists. */
function unlessEmpty(texts: readonly string[]): JsonValue | undefined {
  const given = texts.filter(text => text !== '')
  return given.length === 0 ? undefined : given
}

/** The entries of a text with one entry on each line. Empty lines are ignored. */
export function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '')
}

/** Parses a JSON text. Text that is not valid is returned unchanged, so that the schema refuses it at its field. */
export function jsonOrText(text: string): JsonValue {
  try {
    const parsed = parseStrictJson(text)
    return 'value' in parsed ? parsed.value : text
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
