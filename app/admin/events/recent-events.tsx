/** The latest events of one user or client, on its page. */
import { eventSentence } from '#lib/admin/events/event-sentence.ts'
import { type EventPage, readEvents } from '#lib/admin/events/read-events.ts'
import type { Names } from '#lib/admin/names.ts'
import { Link } from '../_ui/link.tsx'
import { Section } from '../_ui/page-parts.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import type { AdminPage } from '../admin-page.tsx'
import { requestTracePath } from './paths.ts'

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
        <EventList events={events} names={names} now={page.now} />
      )}
    </Section>
  )
}

type EventListProps = {
  readonly events: EventPage['events']
  readonly names: Names
  readonly now: Date
}

function EventList({ events, names, now }: EventListProps) {
  return (
    <ol className="event-list list">
      {events.map(event => (
        <li key={event.id} className={event.outcome === 'failure' ? 'bad' : undefined}>
          <span className="mark-of" aria-hidden="true">
            {event.outcome === 'failure' ? '✕' : '✓'}
          </span>
          <span className="words">
            <span className="visually-hidden">{event.outcome === 'failure' ? 'Failed: ' : ''}</span>
            {eventSentence(event, names)}
          </span>
          <Link className="reference-of mono" href={requestTracePath(event.requestId)}>
            {event.requestId}
          </Link>
          <TimeAgo at={event.time} now={now} />
        </li>
      ))}
    </ol>
  )
}
