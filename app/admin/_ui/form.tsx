/** Forms of the dashboard: posted to one use case, answered by a page. They hold no rules. */
import type { ReactNode } from 'react'
import type { AdminPage } from '../admin-page.ts'
import { ConflictView } from './conflict-view.tsx'
import { ErrorSummary } from './error-summary.tsx'

type AdminFormProps = {
  readonly page: AdminPage
  /** The use case's name. */
  readonly useCase: string
  /** What the form says besides its fields: ids and versions. */
  readonly hidden?: Readonly<Record<string, string | number>>
  /** Where to go when it worked, with parts of the answer in braces; the same page unless given. */
  readonly next?: string
  /** The page of the form; the current one unless given. */
  readonly back?: string
  /** One row of controls instead of a column. */
  readonly isInline?: boolean
  readonly children: ReactNode
}

export function AdminForm({
  page,
  useCase,
  hidden = {},
  next,
  back,
  isInline = false,
  children,
}: AdminFormProps) {
  const draft = page.draft?.useCase === useCase ? page.draft : null
  const isTheirs =
    draft !== null && Object.entries(hidden).every(([name, value]) => isSame(draft.fields[name], name, value))
  return (
    <form className={isInline ? 'inline-form' : 'form'} method="post" action={`/admin/do/${useCase}`}>
      {isTheirs && <ErrorSummary errors={draft.errors} />}
      {isTheirs && draft.conflict !== null && (
        <ConflictView conflict={draft.conflict} fields={draft.fields} />
      )}
      <input type="hidden" name="_back" value={back ?? page.here} />
      {next !== undefined && <input type="hidden" name="_next" value={next} />}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}

/** The version moves on when somebody else saved; everything else says which of several forms it was. */
function isSame(values: readonly string[] | undefined, name: string, value: string | number): boolean {
  return name === 'version' || values?.at(-1) === String(value)
}
