/** How a use case of the dashboard ends. Forms and the API write it each in their own way. */
import type { JsonValue } from '#lib/protocol/claims.ts'

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
  | { readonly kind: 'step_up' }

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
