/** Described fields of a registration document as settings on a form, and their values from and to the texts of the form. */
import type { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { type FieldForm, type FieldText, formOf, textOf } from '#lib/protocol/registration/fields.ts'
import { parseStrictJson } from '#lib/protocol/text/json-text.ts'
import type { FormFields } from './use-case.ts'

/** How a setting is entered: as its schema says, or in another way. */
export type SettingInput =
  | FieldForm
  /** Boxes for what is registered. */
  | { readonly kind: 'boxes'; readonly of: 'scopes' | 'providers' | 'grant_types' }
  /** A list with advice. */
  | { readonly kind: 'redirect_uris' }
  /** A list of words, between spaces, commas or line breaks. */
  | { readonly kind: 'words' }
  /** A text of several lines on the screen. */
  | { readonly kind: 'long_text' }

export type Setting = FieldText & {
  /** Its name in the registration document. */
  readonly field: string
  readonly input: SettingInput
}

type Standard = { readonly name: string; readonly href: string }

type SettingGroup = {
  readonly title: string
  /** The standard that defines most of its fields. */
  readonly standard: Standard | null
  readonly settings: readonly Setting[]
}

export type SettingForm = {
  /** In the order of the schema, as the settings in them. */
  readonly groups: readonly SettingGroup[]
  /** The labels of all fields, also of those without a group, for errors and comparisons. */
  readonly labels: Readonly<Record<string, string>>
  /** The texts of each field of a document with its defaults: one text, or one for each ticked box. */
  readonly textsOf: (read: Readonly<Record<string, unknown>>) => Readonly<Record<string, readonly string[]>>
  /**
   * The document of a posted form. An empty field is left out, which means its default; an invalid number or invalid
   * JSON stays a text, which the schema then refuses at the field.
   */
  readonly documentOf: (posted: FormFields) => Readonly<Record<string, JsonValue>>
}

/** The form of the fields that have a group. `inputs`: how some of them are entered, if not as their schema says. */
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

/** A section of a standard, such as RFC 7591 §2. */
export function rfc(number: number, section: string): Standard {
  return {
    name: `RFC ${number} §${section}`,
    href: `https://www.rfc-editor.org/rfc/rfc${number}.html#section-${section}`,
  }
}

export type Choice = readonly [value: string, text: string]

/** What can be chosen, with texts, and with stored values that are no longer offered. */
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

/** Boxes send one text each; everything else sends one text. */
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

/** An empty list means the default, which for most lists is the empty list. */
function unlessEmpty(texts: readonly string[]): JsonValue | undefined {
  const given = texts.filter(text => text !== '')
  return given.length === 0 ? undefined : given
}

/** The entries of a text with one per line; empty lines are ignored. */
export function linesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map(line => line.trim())
    .filter(line => line !== '')
}

/** The value of a JSON text. Text that is not JSON is returned as it is, for the schema to refuse at its field. */
export function jsonOrText(text: string): JsonValue {
  try {
    const parsed = parseStrictJson(text)
    return 'value' in parsed ? parsed.value : text
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
