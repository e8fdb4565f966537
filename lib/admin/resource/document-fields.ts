/** Changing some fields of a registration document, and keeping the others. */
import { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'

type Document = Readonly<Record<string, JsonValue>>

/**
 * `given` replaces the fields that it names, and one of `fields` that it does not name gets its default. Everything else
 * stays as stored, so that a form cannot reset a field that it does not have. Without `fields`, `given` is the whole
 * document.
 */
export function changedDocument(
  stored: Document,
  given: Document,
  fields: readonly string[] | undefined,
): Document {
  if (fields === undefined) return given
  const kept = Object.entries(stored).filter(([name]) => !fields.includes(name) || name in given)
  return { ...Object.fromEntries(kept), ...given }
}

export const fieldsSchema = z
  .array(z.string().max(100))
  .max(100)
  .optional()
  .describe(
    'Only these fields are replaced; one that `metadata` does not have gets its default. Left out: all fields.',
  )
