/** The values, labels and errors of the fields of a form: the rejected input if it was returned, otherwise what is stored. */
import type { RejectedForm } from '#lib/admin/access/page-state.ts'
import { capitalised } from '#lib/protocol/text/display-text.ts'
import type { AdminPage } from '../admin-page.ts'

export type FieldState = {
  readonly value: (name: string, stored: string) => string
  /** The ticked ones of several boxes with one name. */
  readonly values: (name: string, stored: readonly string[]) => readonly string[]
  readonly error: (name: string) => string | null
  /** What a text field needs of these, with its label. */
  readonly text: (name: string, stored?: string) => FieldProps & { readonly value: string }
  /** What a box needs of these. */
  readonly check: (name: string, isStored: boolean) => FieldProps & { readonly isOn: boolean }
}

type FieldProps = { readonly name: string; readonly label: string; readonly error: string | null }

/** For the fields of one form. */
export function fieldState(
  page: Pick<AdminPage, 'rejectedForm'>,
  useCase: string,
  labels: FieldLabels = {},
): FieldState {
  const draft = page.rejectedForm?.useCase === useCase ? page.rejectedForm : null
  const value = (name: string, stored: string) => typed(draft, name) ?? stored
  const error = (name: string) => errorOf(draft, name, labels)
  const shared = (name: string) => ({ name, label: labels[name] ?? name, error: error(name) })
  return {
    value,
    values: (name, stored) => draft?.fields[name]?.filter(each => each !== '') ?? stored,
    error,
    text: (name, stored = '') => ({ ...shared(name), value: value(name, stored) }),
    check: (name, isStored) => ({ ...shared(name), isOn: value(name, String(isStored)) === 'true' }),
  }
}

/** Whether the returned input belongs to this form, of several for one use case. */
export function isRejectedFormOf(
  { rejectedForm: draft }: Pick<AdminPage, 'rejectedForm'>,
  useCase: string,
  hidden: Readonly<Record<string, string | number>> = {},
): boolean {
  if (draft?.useCase !== useCase) return false
  return Object.entries(hidden).every(([name, value]) => isSame(draft.fields[name], name, value))
}

/** The version may have changed since then; the other hidden fields identify the form. */
function isSame(values: readonly string[] | undefined, name: string, value: string | number): boolean {
  return name === 'version' || values?.at(-1) === String(value)
}

function typed(draft: RejectedForm | null, name: string): string | null {
  if (draft === null) return null
  return draft.fields[name]?.at(-1) ?? (Object.keys(draft.fields).length > 0 ? '' : null)
}

/** All errors of the field, for a list with the line of each. */
function errorOf(draft: RejectedForm | null, name: string, labels: FieldLabels): string | null {
  const found = (draft?.errors ?? []).flatMap(({ path, message }) => {
    const { field, line } = fieldPlace(path, labels)
    if (field !== name) return []
    return [line === null ? message : `Line ${line}: ${message}`]
  })
  return found.length === 0 ? null : found.join('\n')
}

/** By the path of the field in the use case's input, without `metadata`: `redirect_uris`, `claims.email`. */
export type FieldLabels = Readonly<Record<string, string>>

export type FieldPlace = {
  /** The key in `FieldLabels`; the name in the model if there is none. */
  readonly field: string
  /** The id of the control. */
  readonly id: string
  readonly label: string
  /** Counted from 1; `null`: the whole field. */
  readonly line: number | null
}

/** The field that an error is about: `metadata.redirect_uris.1` is the second line of `redirect_uris`. */
export function fieldPlace(path: string, labels: FieldLabels): FieldPlace {
  const steps = path.split('.').filter((step, index) => index > 0 || step !== 'metadata')
  const prefixes = steps.map((_step, index) => steps.slice(0, index + 1).join('.'))
  const field = prefixes.findLast(prefix => Object.hasOwn(labels, prefix)) ?? steps[0] ?? path
  const rest = steps.slice(field.split('.').length)
  const line = rest.length === 1 && /^\d+$/.test(rest[0] ?? '') ? Number(rest[0]) + 1 : null
  return { field, id: field.split('.').at(-1) ?? field, label: labelOf(field, labels), line }
}

/** The label in the form, otherwise the name in the model as words. */
function labelOf(field: string, labels: FieldLabels): string {
  const words = field.replaceAll('_', ' ')
  return Object.hasOwn(labels, field) ? (labels[field] ?? words) : capitalised(words)
}

/** The errors in the order of the fields; those without a field first. */
export function inFormOrder<E extends { readonly path: string }>(
  errors: readonly E[],
  labels: FieldLabels,
): readonly E[] {
  const fields = Object.keys(labels)
  const place = ({ path }: E) => fields.indexOf(fieldPlace(path, labels).field)
  return errors.toSorted((left, right) => place(left) - place(right))
}

/** The label of the control with this id: that of `claims.email` is `email`. */
export function labelOfControl(id: string, labels: FieldLabels): string {
  return labelOf(Object.keys(labels).find(field => field.split('.').at(-1) === id) ?? id, labels)
}
