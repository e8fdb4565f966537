/** A registration document as the fields of a form, and back. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import { parseStrictJson } from '#lib/protocol/strict-json.ts'
import { linesOf } from '../lines.ts'
import type { FormFields } from '../use-case.ts'
import { clientSettings, type Setting } from './settings.ts'

const settings: readonly Setting[] = clientSettings.flatMap(group => group.settings)

/**
 * What was posted, as a document. An empty field is left out, which means its default; a number or JSON that is none
 * stays text, which the schema then refuses at the field.
 */
export function metadataFromForm(fields: FormFields): Readonly<Record<string, JsonValue>> {
  const given = settings.flatMap(setting => {
    const text = fields[setting.field]?.at(-1)
    if (text === undefined) return []
    const value = settingValue(setting, text.replaceAll('\r\n', '\n').trim())
    return value === undefined ? [] : [[setting.field, value] as const]
  })
  return Object.fromEntries(given)
}

/** What each field shows of a document with its defaults filled in. */
export function formFromMetadata(read: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(settings.map(({ field }) => [field, textOf(read[field])]))
}

function settingValue({ input }: Setting, text: string): JsonValue | undefined {
  switch (input.kind) {
    case 'text':
      return text === '' ? undefined : text
    case 'words':
      return text.split(/\s+/).join(' ')
    case 'lines':
      return unlessEmpty(linesOf(text))
    case 'check':
      return text === 'true'
    case 'choice':
      return text === '' ? undefined : text
    case 'seconds':
      if (text === '') return undefined
      return /^\d+$/.test(text) ? Number(text) : text
    case 'json':
      return text === '' ? undefined : json(text)
  }
}

/** An empty list means the default, which for most lists is the empty list. */
function unlessEmpty(lines: readonly string[]): JsonValue | undefined {
  return lines.length === 0 ? undefined : [...lines]
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
