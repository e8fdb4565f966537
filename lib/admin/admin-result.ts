/** How a use case of the dashboard ends, and errors in the fields of its input. Forms and the API write it each in their own way. */
import { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { sentence } from '#lib/protocol/registration/configuration-problems.ts'
import { capitalized } from '#lib/protocol/text/display-text.ts'

/** `path` names the field as the input does, `redirect_uris.0`; empty: the form as a whole. */
export type FieldError = { readonly path: string; readonly message: string }

export type AdminResult<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  /** The object has changed. `current` is its current state in the format of the input; `null`: it was deleted. */
  | { readonly kind: 'conflict'; readonly reason: string; readonly current: JsonValue | null }
  /** `reason` is a sentence for the admin. */
  | { readonly kind: 'denied'; readonly reason: string }
  | { readonly kind: 'not_found' }
  /** They must prove again who they are (AD-04). */
  | { readonly kind: 'fresh_sign_in_required' }

/** It is done, or was read. */
export function ok<T>(value: T): AdminResult<T> {
  return { kind: 'ok', value }
}

/** One field is wrong; an empty path: the form as a whole. */
export function invalid(path: string, message: string): AdminResult<never> {
  return { kind: 'invalid', errors: [{ path, message }] }
}

/** `reason` is a sentence for the admin. */
export function denied(reason: string): AdminResult<never> {
  return { kind: 'denied', reason }
}

export const notFound: AdminResult<never> = { kind: 'not_found' }

/** The errors of a schema, each with the path of its field. */
export function fieldErrors({ issues }: z.ZodError): readonly FieldError[] {
  return issues.map(({ path, message }) => ({ path: path.join('.'), message: fieldSentence(message) }))
}

/** "must not be empty" as a sentence: "Must not be empty." */
export function fieldSentence(message: string): string {
  return sentence(capitalized(message))
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
