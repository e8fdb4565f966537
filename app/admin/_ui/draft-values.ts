/** What a field shows: what was typed and not accepted, else what is stored. */
import type { Draft } from '#lib/admin/access/flash.ts'
import type { AdminPage } from '../admin-page.ts'

export type FieldState = {
  readonly value: (name: string, stored: string) => string
  readonly error: (name: string) => string | null
}

/** For the fields of one form. `prefix` is what the use case's input puts before their names, such as `metadata`. */
export function fieldState(page: Pick<AdminPage, 'draft'>, useCase: string, prefix = ''): FieldState {
  const draft = page.draft?.useCase === useCase ? page.draft : null
  return {
    value: (name, stored) => typed(draft, name) ?? stored,
    error: name => errorOf(draft, prefix === '' ? name : `${prefix}.${name}`),
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

function typed(draft: Draft | null, name: string): string | null {
  if (draft === null) return null
  return draft.fields[name]?.at(-1) ?? (Object.keys(draft.fields).length > 0 ? '' : null)
}

/** Of a list the first entry that is wrong: `redirect_uris.1`. */
function errorOf(draft: Draft | null, path: string): string | null {
  const found = draft?.errors.find(error => error.path === path || error.path.startsWith(`${path}.`))
  return found?.message ?? null
}
