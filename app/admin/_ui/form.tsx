/** Forms of the dashboard, posted to one use case, and what is shown above a returned form: errors or a conflict. */
import type { ReactNode } from 'react'
import type { RejectedForm } from '#lib/admin/access/page-state.ts'
import { isRecord } from '#lib/protocol/registration/fields.ts'
import type { AdminPage } from '../admin-page.ts'
import {
  type FieldLabels,
  type FieldPlace,
  fieldPlace,
  inFormOrder,
  isRejectedFormOf,
  labelOfControl,
} from './draft-values.ts'
import { Focused } from './focused.tsx'
import { Notice } from './notice.tsx'
import { PostForm } from './post-form.tsx'

export type AdminFormProps = {
  readonly page: AdminPage
  /** The use case's name. */
  readonly useCase: string
  /** Hidden fields: IDs and versions. */
  readonly hidden?: Readonly<Record<string, string | number>>
  /** The next page, with parts of the result in braces; the same page unless given. */
  readonly next?: string
  /** The page of the form; the current one unless given. */
  readonly back?: string
  /** Labels of its fields that differ from the names in the model. */
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
  const draft = isRejectedFormOf(page, useCase, hidden) ? page.rejectedForm : null
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

type ReturnedProps = { readonly draft: RejectedForm; readonly labels: FieldLabels }

/** Why the form was returned: errors, a conflict, or because it required a fresh sign-in first (AD-04). */
function Returned({ draft: { errors, conflict, fields, hasSecrets }, labels }: ReturnedProps) {
  if (conflict !== null) return <ConflictView conflict={conflict} fields={fields} labels={labels} />
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

export function ErrorSummary({ errors, labels = {} }: ErrorSummaryProps) {
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

type ConflictViewProps = {
  readonly conflict: NonNullable<RejectedForm['conflict']>
  readonly fields: RejectedForm['fields']
  readonly labels: FieldLabels
}

export function ConflictView({ conflict, fields, labels }: ConflictViewProps) {
  const rows = differingRows(conflict.current, fields)
  return (
    <Focused className="notice warn" role="alert">
      <div>
        <p className="strong">{conflict.reason}</p>
        {rows.length > 0 && (
          <table className="compare">
            <caption className="small">
              Your changes are in the form below. Save to overwrite the current version, or leave the page to
              keep it.
            </caption>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Current</th>
                <th scope="col">Yours</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, now, yours }) => (
                <tr key={name}>
                  <th scope="row">{labelOfControl(name, labels)}</th>
                  <td className="mono">{now}</td>
                  <td className="mono">{yours}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </Focused>
  )
}

function differingRows(current: unknown, fields: RejectedForm['fields']) {
  const stored = flat(current)
  return Object.entries(fields)
    .filter(([name]) => name !== 'version')
    .map(([name, values]) => ({ name, now: textOf(stored[name]), yours: values.at(-1) ?? '' }))
    .filter(({ now, yours }) => now !== null && normal(now) !== normal(yours))
    .map(row => ({ ...row, now: row.now ?? '' }))
}

/** The fields of the form, some of which the document nests. */
function flat(current: unknown): Readonly<Record<string, unknown>> {
  const record = isRecord(current) ? current : {}
  const { metadata, claims, ...rest } = record
  if (isRecord(metadata)) return metadata
  return isRecord(claims) ? { ...rest, ...claims } : record
}

/** `null` if there is no stored value of that name. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return value.map(String).join('\n')
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

function normal(text: string): string {
  return text.replace(/\r\n/g, '\n').trim()
}
