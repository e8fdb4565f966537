/** What is wrong with the fields of an input: from several looks at it, all told at once. */
import { z } from 'zod'
import { sentence } from '#lib/protocol/registration/configuration-problems.ts'
import { capitalised } from '#lib/protocol/text/display-text.ts'
import type { FieldError } from './admin-result.ts'

/** What a schema refused, each at its field. */
export function fieldErrors({ issues }: z.ZodError): readonly FieldError[] {
  return issues.map(({ path, message }) => ({ path: path.join('.'), message: fieldSentence(message) }))
}

/** "must not be empty" as it stands below a field: "Must not be empty." */
export function fieldSentence(message: string): string {
  return sentence(capitalised(message))
}

/** An error at this field, or none. `problem` is the end of a sentence, or a whole one. */
export function errorFor(path: string, problem: string | null): readonly FieldError[] {
  return problem === null ? [] : [{ path, message: fieldSentence(problem) }]
}

/** The first errors and, of what they do not speak of, the others: each field and line is explained by one look. */
export function mergeErrors(
  first: readonly FieldError[],
  others: readonly FieldError[],
): readonly FieldError[] {
  const told = new Set(first.map(({ path }) => path))
  const isTold = ({ path }: FieldError) => told.has(path) || told.has(path.replace(/(\.\d+)+$/, ''))
  return [...first, ...others.filter(error => !isTold(error))]
}

/** The same errors, at fields of a field. */
export function prefixErrors(field: string, errors: readonly FieldError[]): readonly FieldError[] {
  return errors.map(({ path, message }) => ({ path: path === '' ? field : `${field}.${path}`, message }))
}

/** A field as far as it can be read: what is wrong with it is told by the schema proper. */
export function lenient<T extends z.ZodType>(schema: T) {
  return z.optional(schema).catch(undefined)
}

/** Texts with half of a surrogate pair, which no database stores as they are: each by its path, also names of fields. */
export function malformedTexts(raw: unknown, path = ''): readonly FieldError[] {
  if (typeof raw === 'string') return raw.isWellFormed() ? [] : errorFor(path, 'must be valid Unicode')
  if (typeof raw !== 'object' || raw === null) return []
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  return Object.entries(raw).flatMap(([name, value]) =>
    name.isWellFormed()
      ? malformedTexts(value, at(name))
      : errorFor(path, 'must not have a field whose name is not valid Unicode'),
  )
}
