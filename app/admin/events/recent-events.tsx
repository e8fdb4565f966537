/** The latest events of a user or client, on their page. */
import type { ReactNode } from 'react'
import { eventSentence } from '#lib/admin/events/event-sentence.ts'
import { readEvents } from '#lib/admin/events/read-events.ts'
import { requestTracePath } from '#lib/admin/page-paths.ts'
import { Link } from '../_ui/link.tsx'
import { Section } from '../_ui/page-parts.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import type { AdminPage } from '../admin-page.tsx'

const shown = 8

type RecentEventsProps = {
  readonly page: AdminPage
  readonly filter: { readonly subject: string } | { readonly clientId: string }
}

export async function RecentEvents({ page, filter }: RecentEventsProps) {
  const { events, names } = await readEvents(page.ports, filter, { limit: shown })
  const query = new URLSearchParams(
    'subject' in filter ? { subject: filter.subject } : { client: filter.clientId },
  )
  return (
    <Section
      title="Recent events"
      action={
        <Link className="btn small" href={`/admin/events?${query}`}>
          All events
        </Link>
      }
    >
      {events.length === 0 ? (
        <p className="small muted">No events yet.</p>
      ) : (
        <ol className="event-list list">
          {events.map(event => (
            <EventLine
              key={event.id}
              requestId={event.requestId}
              time={event.time}
              isFailure={event.outcome === 'failure'}
              now={page.now}
            >
              {eventSentence(event, names)}
            </EventLine>
          ))}
        </ol>
      )}
    </Section>
  )
}

type EventLineProps = {
  readonly isFailure: boolean
  readonly requestId: string
  readonly time: Date
  readonly now: Date
  /** The sentence of the line. */
  readonly children: ReactNode
}

/** A line in a list of events or changes: a sentence that links to the request trace. */
export function EventLine({ isFailure, requestId, time, now, children }: EventLineProps) {
  return (
    <li className={isFailure ? 'bad' : undefined}>
      <span className="mark-of" aria-hidden="true">
        {isFailure ? '✕' : '✓'}
      </span>
      <span className="words">
        {isFailure && <span className="visually-hidden">Failed: </span>}
        <Link href={requestTracePath(requestId)}>{children}</Link>
      </span>
      <span className="reference-of mono">{requestId}</span>
      <TimeAgo at={time} now={now} />
    </li>
  )
}
