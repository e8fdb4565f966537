/** The results of use cases, and errors in the fields of their input. Forms and the API each present them in their own way. */
import { z } from 'zod'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { sentence } from '#lib/protocol/registration/configuration-problems.ts'
import { capitalized } from '#lib/protocol/text/display-text.ts'
import { unstorableTexts } from '#lib/protocol/text/storable-text.ts'

/** An error in the input. `path` is the path of the field, such as `redirect_uris.0`, or empty for the input as a whole. */
export type FieldError = { readonly path: string; readonly message: string }

export type AdminResult<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
  /** The object has changed. `current` is its current state in the format of the input; `null`: it was deleted. */
  | { readonly kind: 'conflict'; readonly reason: string; readonly current: JsonValue | null }
  /** `reason` is a sentence for the admin. */
  | { readonly kind: 'denied'; readonly reason: string }
  | { readonly kind: 'not_found' }
  /** The admin has to sign in again (AD-04). */
  | { readonly kind: 'fresh_sign_in_required' }

/** The result of a successful use case. */
export function ok<T>(value: T): AdminResult<T> {
  return { kind: 'ok', value }
}

/** The result for one invalid field. An empty path means the input as a whole. */
export function invalid(path: string, message: string): AdminResult<never> {
  return { kind: 'invalid', errors: [{ path, message }] }
}

/** The result for an action that is not permitted. `reason` is a sentence for the admin. */
export function denied(reason: string): AdminResult<never> {
  return { kind: 'denied', reason }
}

export const notFound: AdminResult<never> = { kind: 'not_found' }

/** Converts the errors of a schema to field errors. */
export function fieldErrors({ issues }: z.ZodError): readonly FieldError[] {
  return issues.map(({ path, message }) => ({ path: path.join('.'), message: fieldSentence(message) }))
}

/** Turns the end of a sentence into a sentence: "must not be empty" becomes "Must not be empty." */
export function fieldSentence(message: string): string {
  return sentence(capitalized(message))
}

/** One error at this field, or no error if `problem` is `null`. `problem` may be the end of a sentence, or a sentence. */
export function errorFor(path: string, problem: string | null): readonly FieldError[] {
  return problem === null ? [] : [{ path, message: fieldSentence(problem) }]
}

/**
 * Adds errors of other checks to the first errors, except at fields that have one of the first errors, and at entries of such
 * fields.
 */
export function mergeErrors(
  first: readonly FieldError[],
  others: readonly FieldError[],
): readonly FieldError[] {
  const paths = new Set(first.map(({ path }) => path))
  const isKnown = ({ path }: FieldError) => paths.has(path) || paths.has(path.replace(/(\.\d+)+$/, ''))
  return [...first, ...others.filter(error => !isKnown(error))]
}

/** Prefixes the paths of errors with a field. */
export function prefixErrors(field: string, errors: readonly FieldError[]): readonly FieldError[] {
  return errors.map(({ path, message }) => ({ path: path === '' ? field : `${field}.${path}`, message }))
}

/** Reads an invalid value as `undefined`, where another check reports its error. */
export function lenient<T extends z.ZodType>(schema: T) {
  return z.optional(schema).catch(undefined)
}

/** Returns an error for each text and field name that databases cannot store. */
export function malformedTexts(raw: unknown): readonly FieldError[] {
  return unstorableTexts(raw).flatMap(({ path, problem }) => errorFor(path.join('.'), problem))
}
