/** Errors in the fields of an input, collected from several checks. */
import { z } from 'zod'
import { sentence } from '#lib/protocol/registration/configuration-problems.ts'
import { capitalised } from '#lib/protocol/text/display-text.ts'
import type { FieldError } from './admin-result.ts'

/** The errors of a schema, each with the path of its field. */
export function fieldErrors({ issues }: z.ZodError): readonly FieldError[] {
  return issues.map(({ path, message }) => ({ path: path.join('.'), message: fieldSentence(message) }))
}

/** "must not be empty" as a sentence: "Must not be empty." */
export function fieldSentence(message: string): string {
  return sentence(capitalised(message))
}

/** An error at this field; none for `null`. `problem` is the end of a sentence, or a whole one. */
export function errorFor(path: string, problem: string | null): readonly FieldError[] {
  return problem === null ? [] : [{ path, message: fieldSentence(problem) }]
}

/** The first errors, and the others at fields without an error among the first. */
export function mergeErrors(
  first: readonly FieldError[],
  others: readonly FieldError[],
): readonly FieldError[] {
  const paths = new Set(first.map(({ path }) => path))
  const isKnown = ({ path }: FieldError) => paths.has(path) || paths.has(path.replace(/(\.\d+)+$/, ''))
  return [...first, ...others.filter(error => !isKnown(error))]
}

/** The same errors, with this field in front of their paths. */
export function prefixErrors(field: string, errors: readonly FieldError[]): readonly FieldError[] {
  return errors.map(({ path, message }) => ({ path: path === '' ? field : `${field}.${path}`, message }))
}

/** `undefined` for an invalid value, whose error the schema itself reports. */
export function lenient<T extends z.ZodType>(schema: T) {
  return z.optional(schema).catch(undefined)
}

/** Texts and names of fields with half of a surrogate pair, which databases cannot store. */
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
