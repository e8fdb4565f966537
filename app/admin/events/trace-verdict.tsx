/** The result of a request in one sentence, the value sent and the valid one, and the remedy. */
import type { RemedyAction } from '#lib/admin/events/remedy.ts'
import type { RequestTrace } from '#lib/admin/events/request-trace.ts'
import { en } from '#lib/i18n/messages/en.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { AdminForm } from '../_ui/form.tsx'
import { Link } from '../_ui/link.tsx'
import { ManagedByFileNotice } from '../_ui/managed-by-file-notice.tsx'
import type { AdminPage } from '../admin-page.tsx'
import { Comparison } from './trace-comparison.tsx'

export function Verdict({ page, trace }: { readonly page: AdminPage; readonly trace: RequestTrace }) {
  const isRefused = trace.main.outcome === 'failure'
  return (
    <section className={isRefused ? 'verdict bad' : 'verdict'}>
      <div className="verdict-head">
        <span className="verdict-sign" aria-hidden="true">
          {isRefused ? '✕' : '✓'}
        </span>
        <h2>{trace.sentence}</h2>
      </div>
      <Comparison trace={trace} />
      {(trace.remedy !== null || trace.shownPage !== null) && (
        <div className="verdict-foot">
          {trace.remedy !== null && (
            <div className="stack">
              <div>
                <h3>What to do</h3>
                <p>{trace.remedy.sentence}</p>
              </div>
              <Fix page={page} trace={trace} remedy={trace.remedy} />
              <ManagedByFile page={page} action={trace.remedy.action} />
            </div>
          )}
          {trace.shownPage !== null && (
            <div>
              <h3>What the user saw</h3>
              <p className="muted">{shownPageText(trace.shownPage)}</p>
            </div>
          )}
        </div>
      )}
    </section>
  )
}

function shownPageText(shown: NonNullable<RequestTrace['shownPage']>): string {
  switch (shown.kind) {
    case 'page':
      return `A page titled “${en.errors[shown.text].title}”, with this request ID. Nothing was sent to the client.`
    case 'form':
      return 'The sign-in form again, with a generic error.'
    case 'redirect':
      return 'No page: the user was redirected to the client with the error.'
  }
}

type FixProps = {
  readonly page: AdminPage
  readonly trace: RequestTrace
  readonly remedy: NonNullable<RequestTrace['remedy']>
}

/** A role without the permission sees which roles have it. */
function Fix({ page, trace, remedy: { action, done, href } }: FixProps) {
  const reason = action === null ? null : page.reasonAgainst(action.permission)
  if (action === null && href === null && done === null) return null
  return (
    <div className="admin-actions">
      {action !== null && <FixForm page={page} action={action} reason={reason} />}
      {done !== null && <span className="tag good">{done}</span>}
      {href !== null && (
        <Link className="btn" href={href}>
          {placeWords(href, trace)}
        </Link>
      )}
      {reason !== null && action?.warning === null && <span className="small muted">{reason}</span>}
    </div>
  )
}

type FixFormProps = {
  readonly page: AdminPage
  readonly action: RemedyAction
  readonly reason: string | null
}

/** An action that an attacker may have caused must be confirmed, and is never the primary button. */
function FixForm({ page, action, reason }: FixFormProps) {
  const useCase = { name: action.useCase, permission: action.permission }
  const form = { page, useCase, hidden: action.input }
  if (action.warning !== null) {
    return (
      <ConfirmedForm
        {...form}
        label={action.label}
        verb={action.label}
        consequence={action.warning}
        isBrief
      />
    )
  }
  return (
    <AdminForm {...form} isInline>
      <button type="submit" className="btn primary" disabled={reason !== null}>
        {action.label}
      </button>
    </AdminForm>
  )
}

/** The next start resets objects of the configuration file. */
function ManagedByFile({ page, action }: { readonly page: AdminPage; readonly action: RemedyAction | null }) {
  const { client_id: clientId, sub } = action?.input ?? {}
  if (clientId !== undefined) return <ManagedByFileNotice page={page} kind="clients" id={clientId} />
  return sub === undefined ? null : <ManagedByFileNotice page={page} kind="users" id={sub} />
}

function placeWords(href: string, { main, names }: RequestTrace): string {
  if (href === '/admin/clients') return 'Open the clients'
  if (href === '/admin/users') return 'Open the users'
  if (href.startsWith('/admin/users/')) return `Open ${names.user(main.subject)}`
  return href.endsWith('/secrets') ? 'Open its secrets' : `Open ${names.client(main.clientId)}`
}
