/** A registration document as the fields of a form, and back. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import { parseStrictJson } from '#lib/protocol/text/json-text.ts'
import { linesOf } from '../lines.ts'
import type { FormFields } from '../use-case.ts'
import { clientSettings, type Setting, type SettingInput } from './settings.ts'

const settings: readonly Setting[] = clientSettings.flatMap(group => group.settings)

/**
 * What was posted, as a document. An empty field is left out, which means its default; a number or JSON that is none
 * stays text, which the schema then refuses at the field.
 */
export function metadataFromForm(fields: FormFields): Readonly<Record<string, JsonValue>> {
  const given = settings.flatMap(setting => {
    const texts = fields[setting.field]?.map(text => text.replaceAll('\r\n', '\n').trim())
    const value = texts === undefined ? undefined : settingValue(setting, texts)
    return value === undefined ? [] : [[setting.field, value] as const]
  })
  return Object.fromEntries(given)
}

/** What each field shows of a document with its defaults filled in: one text, or one for each ticked box. */
export function formFromMetadata(
  read: Readonly<Record<string, unknown>>,
): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(settings.map(({ field, input }) => [field, shownTexts(input, read[field])]))
}

function shownTexts({ kind }: SettingInput, value: unknown): readonly string[] {
  if (kind === 'choices') return Array.isArray(value) ? value.map(String) : []
  return kind === 'boxes' ? wordsIn([textOf(value)]) : [textOf(value)]
}

/** Boxes send one text each; everything else sends one in all. */
function settingValue({ field, input }: Setting, texts: readonly string[]): JsonValue | undefined {
  const text = texts.at(-1) ?? ''
  switch (input.kind) {
    case 'boxes':
      if (input.of === 'providers') return unlessEmpty(wordsIn(texts))
      return field === 'scope' ? wordsIn(texts).join(' ') : wordsIn(texts)
    case 'choices':
      return unlessEmpty(texts)
    case 'list':
      return unlessEmpty(linesOf(text))
    case 'check':
      return text === 'true'
    case 'number':
      return /^\d+$/.test(text) ? Number(text) : unlessBlank(text)
    case 'json':
      return text === '' ? undefined : json(text)
    default:
      return unlessBlank(text)
  }
}

function wordsIn(texts: readonly string[]): string[] {
  return texts.flatMap(text => text.split(/\s+/)).filter(word => word !== '')
}

function unlessBlank(text: string): string | undefined {
  return text === '' ? undefined : text
}

/** An empty list means the default, which for most lists is the empty list. */
function unlessEmpty(texts: readonly string[]): JsonValue | undefined {
  const given = texts.filter(text => text !== '')
  return given.length === 0 ? undefined : given
}

function json(text: string): JsonValue {
  try {
    const parsed = parseStrictJson(text)
    return 'value' in parsed ? parsed.value : text
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(String).join('\n')
  if (typeof value !== 'object') return String(value)
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2)
}
