/** What a form calls its fields, so that what is wrong is told by the names that stand there. */
import { capitalised } from '#lib/protocol/text/display-text.ts'

/** By the path of the field in the use case's input, without `metadata`: `redirect_uris`, `claims.email`. */
export type FieldLabels = Readonly<Record<string, string>>

export type FieldPlace = {
  /** Of `FieldLabels`; where the form names none, the model's name. */
  readonly field: string
  /** The id of the control. */
  readonly id: string
  readonly label: string
  /** Counted from 1; `null`: the field as a whole. */
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

/** As the form has it; the model's name as words where the form does not say. */
function labelOf(field: string, labels: FieldLabels): string {
  const words = field.replaceAll('_', ' ')
  return Object.hasOwn(labels, field) ? (labels[field] ?? words) : capitalised(words)
}

/** The errors as one meets their fields on the way down; those of no field that is named come first. */
export function inFormOrder<E extends { readonly path: string }>(
  errors: readonly E[],
  labels: FieldLabels,
): readonly E[] {
  const fields = Object.keys(labels)
  const place = ({ path }: E) => fields.indexOf(fieldPlace(path, labels).field)
  return errors.toSorted((left, right) => place(left) - place(right))
}

/** What stands beside the control of this id: that of `claims.email` is `email`. */
export function labelOfControl(id: string, labels: FieldLabels): string {
  return labelOf(Object.keys(labels).find(field => field.split('.').at(-1) === id) ?? id, labels)
}
