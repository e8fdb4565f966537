/** What a field shows: what was typed and not accepted, else what is stored. */
import type { FormState } from '#lib/admin/access/flash.ts'
import type { AdminPage } from '../admin-page.ts'
import { type FieldLabels, fieldPlace } from './field-labels.ts'

export type FieldState = {
  readonly value: (name: string, stored: string) => string
  /** Of several boxes with one name, those that are ticked. */
  readonly values: (name: string, stored: readonly string[]) => readonly string[]
  readonly error: (name: string) => string | null
}

/** For the fields of one form. */
export function fieldState(
  page: Pick<AdminPage, 'draft'>,
  useCase: string,
  labels: FieldLabels = {},
): FieldState {
  const draft = page.draft?.useCase === useCase ? page.draft : null
  return {
    value: (name, stored) => typed(draft, name) ?? stored,
    values: (name, stored) => draft?.fields[name]?.filter(value => value !== '') ?? stored,
    error: name => errorOf(draft, name, labels),
  }
}

/** Whether what came back belongs to this form, of several for one use case. */
export function isDraftOf(
  { draft }: Pick<AdminPage, 'draft'>,
  useCase: string,
  hidden: Readonly<Record<string, string | number>> = {},
): boolean {
  if (draft?.useCase !== useCase) return false
  return Object.entries(hidden).every(([name, value]) => isSame(draft.fields[name], name, value))
}

/** The version moves on when somebody else saved; everything else says which of several forms it was. */
function isSame(values: readonly string[] | undefined, name: string, value: string | number): boolean {
  return name === 'version' || values?.at(-1) === String(value)
}

function typed(draft: FormState | null, name: string): string | null {
  if (draft === null) return null
  return draft.fields[name]?.at(-1) ?? (Object.keys(draft.fields).length > 0 ? '' : null)
}

/** All that is wrong with it; of a list with each line. */
function errorOf(draft: FormState | null, name: string, labels: FieldLabels): string | null {
  const told = (draft?.errors ?? []).flatMap(({ path, message }) => {
    const { field, line } = fieldPlace(path, labels)
    if (field !== name) return []
    return [line === null ? message : `Line ${line}: ${message}`]
  })
  return told.length === 0 ? null : told.join('\n')
}
