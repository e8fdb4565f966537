/** Forms of the dashboard: posted to one use case, answered by a page. They hold no rules. */
import type { ReactNode } from 'react'
import type { FormState } from '#lib/admin/access/flash.ts'
import type { AdminPage } from '../admin-page.ts'
import { ConflictView } from './conflict-view.tsx'
import { isDraftOf } from './draft-values.ts'
import { ErrorSummary } from './error-summary.tsx'
import type { FieldLabels } from './field-labels.ts'
import { Notice } from './notice.tsx'
import { PostForm } from './post-form.tsx'

export type AdminFormProps = {
  readonly page: AdminPage
  /** The use case's name. */
  readonly useCase: string
  /** What the form says besides its fields: ids and versions. */
  readonly hidden?: Readonly<Record<string, string | number>>
  /** Where to go when it worked, with parts of the answer in braces; the same page unless given. */
  readonly next?: string
  /** The page of the form; the current one unless given. */
  readonly back?: string
  /** What it calls its fields, where that is not the model's name. */
  readonly labels?: FieldLabels
  /** One row of controls instead of a column. */
  readonly isInline?: boolean
  /** For controls outside of it. */
  readonly id?: string
  readonly children: ReactNode
}

export function AdminForm({
  page,
  useCase,
  hidden = {},
  next,
  back,
  labels = {},
  isInline = false,
  id,
  children,
}: AdminFormProps) {
  const draft = isDraftOf(page, useCase, hidden) ? page.draft : null
  return (
    <PostForm
      id={id}
      className={isInline ? 'inline-form' : 'form'}
      action={`/admin/do/${useCase}`}
      isReturned={draft !== null}
      back={back ?? page.here}
    >
      {draft !== null && <Returned draft={draft} labels={labels} />}
      <input type="hidden" name="_back" value={back ?? page.here} />
      {draft?.hasSecrets && <input type="hidden" name="_draft" value={page.query.draft} />}
      {next !== undefined && <input type="hidden" name="_next" value={next} />}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </PostForm>
  )
}

type ReturnedProps = { readonly draft: FormState; readonly labels: FieldLabels }

/** Why the form is back: it was wrong, somebody else was faster, or it wanted a fresh sign-in first (AD-04). */
function Returned({ draft: { errors, conflict, fields, hasSecrets }, labels }: ReturnedProps) {
  if (conflict !== null) return <ConflictView conflict={conflict} fields={fields} labels={labels} />
  if (errors.length > 0) return <ErrorSummary errors={errors} labels={labels} />
  return (
    <Notice kind="good">
      It’s you, thank you. One step is left: what you entered is below, and its button carries it out.
      {hasSecrets && ' The secret you typed is kept for that, encrypted: leave its field empty.'}
    </Notice>
  )
}
