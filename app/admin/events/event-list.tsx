/** Events as sentences, each with the way to its trace. */
import { eventSentence } from '#lib/admin/events/event-sentence.ts'
import type { Names } from '#lib/admin/events/names.ts'
import type { EventPage } from '#lib/admin/events/read-events.ts'
import { Link } from '../_ui/link.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import { requestTracePath } from './paths.ts'

type EventListProps = {
  readonly events: EventPage['events']
  readonly names: Names
  readonly now: Date
}

export function EventList({ events, names, now }: EventListProps) {
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
          <Link className="reference-of mono" href={requestTracePath(event.referenceId)}>
            {event.referenceId}
          </Link>
          <TimeAgo at={event.time} now={now} />
        </li>
      ))}
    </ol>
  )
}
