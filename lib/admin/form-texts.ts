/** Texts of a form that contain a list or JSON. */
import type { JsonValue } from '#lib/protocol/claims.ts'
import { parseStrictJson } from '#lib/protocol/text/json-text.ts'

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
