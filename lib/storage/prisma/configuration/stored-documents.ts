/**
 * UP-02: reads and writes documents to which a later release may have added fields, during a rolling upgrade. This release ignores
 * such fields, and keeps them when it changes the document.
 */
import type { JsonValue } from '#lib/protocol/claims.ts'

/** The fields that this release knows, by their names. */
type Fields = Readonly<Record<string, unknown>>

/** Parses a stored document, without the fields that this release does not know. */
export function readDocument(text: string, fields: Fields): Readonly<Record<string, JsonValue>> {
  return Object.fromEntries(entriesOf(text).filter(([name]) => Object.hasOwn(fields, name)))
}

/** Whether a stored document has the known fields of this one, in the same order. */
export function isSameDocument(stored: string, document: JsonValue, fields: Fields): boolean {
  return JSON.stringify(readDocument(stored, fields)) === JSON.stringify(document)
}

/** Returns the text to store. `stored`: the text that it replaces, whose unknown fields are kept; `null` for a new row. */
export function documentText(document: unknown, stored: string | null, fields: Fields): string {
  const text = JSON.stringify(document)
  if (stored === null) return text
  const unknown = entriesOf(stored).filter(([name]) => !Object.hasOwn(fields, name))
  return unknown.length === 0 ? text : JSON.stringify(Object.fromEntries([...entriesOf(text), ...unknown]))
}

function entriesOf(text: string): readonly (readonly [string, JsonValue])[] {
  const document: Readonly<Record<string, JsonValue>> = JSON.parse(text)
  return Object.entries(document)
}
