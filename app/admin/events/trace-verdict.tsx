/** The result of a request in a sentence, the sent and the valid value, the remedy, and the page that the user saw. */
import type { EventOffer } from '#lib/admin/events/event-offers.ts'
import type { RequestTrace } from '#lib/admin/events/request-trace.ts'
import { en } from '#lib/i18n/messages/en.ts'
import { ConfirmedForm } from '../_ui/confirmed-form.tsx'
import { Link } from '../_ui/link.tsx'
import { ManagedByFileNotice } from '../_ui/managed-by-file-notice.tsx'
import type { AdminPage } from '../admin-page.tsx'
import { Comparison } from './trace-comparison.tsx'

export function Verdict({ page, trace }: { readonly page: AdminPage; readonly trace: RequestTrace }) {
  const done = trace.remedy?.done ?? null
  const isOpen = trace.main.outcome === 'failure' && done === null
  return (
    <section className={isOpen ? 'verdict bad' : 'verdict'}>
      <div className="verdict-head">
        <span className="verdict-sign" aria-hidden="true">
          {isOpen ? '✕' : '✓'}
        </span>
        {done === null ? (
          <h2>{trace.sentence}</h2>
        ) : (
          <div>
            <h2>{`Resolved since then: ${done.charAt(0).toLowerCase()}${done.slice(1)}`}</h2>
            <p className="muted">{trace.sentence}</p>
          </div>
        )}
      </div>
      {trace.stopped !== null && <p className="muted">{trace.stopped}</p>}
      <Comparison trace={trace} />
      {(trace.remedy !== null || trace.shownPage !== null) && (
        <div className="verdict-foot">
          {trace.remedy !== null && (
            <div className="stack">
              {done === null && (
                <div>
                  <h3>What to do</h3>
                  <p>{trace.remedy.sentence}</p>
                </div>
              )}
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

/** The remedy. Its action must be confirmed and is never the primary button, because an attacker may have caused the refusal. */
function Fix({ page, trace, remedy: { action, href } }: FixProps) {
  if (action === null && href === null) return null
  return (
    <div className="admin-actions">
      {action !== null && <OfferForm page={page} offer={action} />}
      {href !== null && (
        <Link className="btn small" href={href}>
          {placeWords(href, trace)}
        </Link>
      )}
    </div>
  )
}

function OfferForm({ page, offer }: { readonly page: AdminPage; readonly offer: EventOffer }) {
  const { useCase: name, permission, input, label, warning } = offer
  return (
    <ConfirmedForm
      page={page}
      useCase={{ name, permission }}
      hidden={input}
      label={label}
      verb={label}
      consequence={warning}
      isBrief
    />
  )
}

/** A notice that the next start of the server resets the object, if the configuration file or the demo contains it. */
function ManagedByFile({ page, action }: { readonly page: AdminPage; readonly action: EventOffer | null }) {
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
