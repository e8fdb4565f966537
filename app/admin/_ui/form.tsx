/** Forms of the dashboard, each posted to one use case. A returned form shows its values, and why it was returned. */
import type { ReactNode } from 'react'
import type { RejectedForm } from '#lib/admin/access/admin-session.ts'
import type { UseCase } from '#lib/admin/use-case.ts'
import { capitalized } from '#lib/protocol/text/display-text.ts'
import type { AdminPage } from '../admin-page.tsx'
import { ConflictView } from './conflict-view.tsx'
import { Focused } from './focused.tsx'
import { Notice } from './notice.tsx'
import { PostForm } from './post-form.tsx'

export type FormUseCase = Pick<UseCase, 'name' | 'permission'>

export type AdminFormProps = {
  readonly page: AdminPage
  /** The use case to call with the fields. Admins who lack the permission get disabled buttons. */
  readonly useCase: FormUseCase
  /** Hidden fields, such as an ID and a version. */
  readonly hidden?: Readonly<Record<string, string | number>>
  /** The next page, with parts of the result in braces; without it the page of the form. */
  readonly next?: string
  /** The page of the form; without it the current page. */
  readonly back?: string
  readonly labels?: FieldLabels
  /** The texts of the fields for the stored object, by field, for the comparison after a conflict. */
  readonly shown?: Readonly<Record<string, readonly string[]>>
  /** Whether the controls are in a row and not in a column. */
  readonly isInline?: boolean
  /** The id of the form, for controls outside of it. */
  readonly id?: string
  /** Whether the fields contain input that is not saved, although the form was not returned. */
  readonly isUnsaved?: boolean
  readonly children: ReactNode
}

export function AdminForm({
  page,
  useCase,
  hidden = {},
  next,
  back,
  labels = {},
  shown = {},
  isInline = false,
  id,
  isUnsaved = false,
  children,
}: AdminFormProps) {
  const draft = isRejectedFormOf(page, useCase, hidden) ? page.rejectedForm : null
  return (
    <PostForm
      id={id}
      className={isInline ? 'inline-form' : 'form'}
      action={`/admin/do/${useCase.name}`}
      isReturned={draft !== null || isUnsaved}
      back={back ?? page.here}
      reasonAgainst={page.reasonAgainst(useCase.permission)}
    >
      {draft !== null && <Returned draft={draft} labels={labels} shown={shown} />}
      <input type="hidden" name="_back" value={back ?? page.here} />
      {draft?.hasSecrets && <input type="hidden" name="_rejected_form" value={page.query.rejected_form} />}
      {next !== undefined && <input type="hidden" name="_next" value={next} />}
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </PostForm>
  )
}

type ReturnedProps = Required<Pick<AdminFormProps, 'labels' | 'shown'>> & { readonly draft: RejectedForm }

/** The reason why the form was returned: errors, a conflict, or a fresh sign-in that was required first (AD-04). */
function Returned({ draft: { errors, conflict, fields, hasSecrets }, labels, shown }: ReturnedProps) {
  if (conflict !== null)
    return <ConflictView {...{ conflict, fields, shown }} labelOf={name => labelOfControl(name, labels)} />
  if (errors.length > 0) return <ErrorSummary errors={errors} labels={labels} />
  return (
    <Notice kind="good">
      Thanks, you’re verified. Review your changes below and submit again.
      {hasSecrets && ' The secret that you entered is kept encrypted: leave its field empty.'}
    </Notice>
  )
}

type ErrorSummaryProps = {
  readonly errors: ReadonlyArray<{ readonly path: string; readonly message: string }>
  readonly labels?: FieldLabels
}

function ErrorSummary({ errors, labels = {} }: ErrorSummaryProps) {
  if (errors.length === 0) return null
  return (
    <Focused className="notice bad" role="alert">
      <div>
        <p className="strong">
          {errors.length === 1 ? '1 problem to fix' : `${errors.length} problems to fix`}
        </p>
        <ul className="error-list">
          {inFormOrder(errors, labels).map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path === '' ? message : <ErrorLink {...fieldPlace(path, labels)} message={message} />}
            </li>
          ))}
        </ul>
      </div>
    </Focused>
  )
}

function ErrorLink({ id, label, line, message }: FieldPlace & { readonly message: string }) {
  return <a href={`#${id}`}>{`${label}${line === null ? '' : `, line ${line}`}: ${message}`}</a>
}

export type FieldState = {
  readonly value: (name: string, stored: string) => string
  /** The values of the ticked boxes that share a name. */
  readonly values: (name: string, stored: readonly string[]) => readonly string[]
  readonly error: (name: string) => string | null
  /** The properties of a text field, its label included. */
  readonly text: (name: string, stored?: string) => FieldProps & { readonly value: string }
  /** The properties of a check box, its label included. */
  readonly check: (name: string, isStored: boolean) => FieldProps & { readonly isOn: boolean }
}

type FieldProps = { readonly name: string; readonly label: string; readonly error: string | null }

/** The values and errors of the fields of one form, whose input may have been rejected. */
export function fieldState(
  page: Pick<AdminPage, 'rejectedForm'>,
  useCase: FormUseCase,
  labels: FieldLabels = {},
): FieldState {
  const draft = page.rejectedForm?.useCase === useCase.name ? page.rejectedForm : null
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

/** Whether the rejected input belongs to this form; a page can have several forms for one use case. */
export function isRejectedFormOf(
  { rejectedForm: draft }: Pick<AdminPage, 'rejectedForm'>,
  useCase: FormUseCase,
  hidden: Readonly<Record<string, string | number>> = {},
): boolean {
  if (draft?.useCase !== useCase.name) return false
  return Object.entries(hidden).every(([name, value]) => isSame(draft.fields[name], name, value))
}

/** Whether a hidden field has the value that was posted. The version may have changed since then, so it is not compared. */
function isSame(values: readonly string[] | undefined, name: string, value: string | number): boolean {
  return name === 'version' || values?.at(-1) === String(value)
}

function typed(draft: RejectedForm | null, name: string): string | null {
  if (draft === null) return null
  return draft.fields[name]?.at(-1) ?? (Object.keys(draft.fields).length > 0 ? '' : null)
}

/** The errors of a field in one text. In a list each error names its line. */
function errorOf(draft: RejectedForm | null, name: string, labels: FieldLabels): string | null {
  const found = (draft?.errors ?? []).flatMap(({ path, message }) => {
    const { field, line } = fieldPlace(path, labels)
    if (field !== name) return []
    return [line === null ? message : `Line ${line}: ${message}`]
  })
  return found.length === 0 ? null : found.join('\n')
}

/** Labels by the path of the field in the input of the use case, without `metadata`: `redirect_uris`, `claims.email`. */
export type FieldLabels = Readonly<Record<string, string>>

export type FieldPlace = {
  /** The key of the field in `FieldLabels`; the name in the input if it has no label. */
  readonly field: string
  /** The id of the field's control. */
  readonly id: string
  readonly label: string
  /** The line that the error is about, counted from 1; `null` for the whole field. */
  readonly line: number | null
}

/** Finds the field of an error: `metadata.redirect_uris.1` is about the second line of `redirect_uris`. */
export function fieldPlace(path: string, labels: FieldLabels): FieldPlace {
  const steps = path.split('.').filter((step, index) => index > 0 || step !== 'metadata')
  const prefixes = steps.map((_step, index) => steps.slice(0, index + 1).join('.'))
  const field = prefixes.findLast(prefix => Object.hasOwn(labels, prefix)) ?? steps[0] ?? path
  const rest = steps.slice(field.split('.').length)
  const line = rest.length === 1 && /^\d+$/.test(rest[0] ?? '') ? Number(rest[0]) + 1 : null
  return { field, id: field.split('.').at(-1) ?? field, label: labelOf(field, labels), line }
}

/** The label of the field, or the words of its name if it has none. */
function labelOf(field: string, labels: FieldLabels): string {
  const words = field.replaceAll('_', ' ')
  return Object.hasOwn(labels, field) ? (labels[field] ?? words) : capitalized(words)
}

/** The errors in the order of the labels. Errors of fields without a label, and of no field, come first. */
export function inFormOrder<E extends { readonly path: string }>(
  errors: readonly E[],
  labels: FieldLabels,
): readonly E[] {
  const fields = Object.keys(labels)
  const place = ({ path }: E) => fields.indexOf(fieldPlace(path, labels).field)
  return errors.toSorted((left, right) => place(left) - place(right))
}

/** The label of the control with this id. The control of `claims.email` has the id `email`. */
export function labelOfControl(id: string, labels: FieldLabels): string {
  return labelOf(Object.keys(labels).find(field => field.split('.').at(-1) === id) ?? id, labels)
}
