/** Events with the user, the client and the IP address of each; a user or a client leads to its other events. */
import { eventSentence } from '#lib/admin/events/event-sentence.ts'
import type { Names } from '#lib/admin/events/names.ts'
import type { EventPage } from '#lib/admin/events/read-events.ts'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { Link } from '../_ui/link.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import { requestTracePath } from './paths.ts'

type ListedEvent = EventPage['events'][number]

type EventTableProps = {
  readonly events: EventPage['events']
  readonly names: Names
  readonly now: Date
}

export function EventTable({ events, names, now }: EventTableProps) {
  return (
    <div className="event-table">
      <DataTable caption="Events" columns={columnsOf(names, now)} rows={events} keyOf={({ id }) => id} />
    </div>
  )
}

function columnsOf(names: Names, now: Date): readonly Column<ListedEvent>[] {
  return [
    { name: 'Event', cell: event => <Sentence event={event} names={names} /> },
    { name: 'User', cell: ({ subject }) => <Owner name="subject" id={subject} label={names.user} /> },
    { name: 'Client', cell: ({ clientId }) => <Owner name="client" id={clientId} label={names.client} /> },
    { name: 'IP address', cell: ({ address }) => <span className="mono">{address ?? '–'}</span> },
    {
      name: 'Request ID',
      cell: ({ referenceId }) => (
        <Link className="reference-of mono" href={requestTracePath(referenceId)}>
          {referenceId}
        </Link>
      ),
    },
    { name: 'Time', cell: ({ time }) => <TimeAgo at={time} now={now} /> },
  ]
}

function Sentence({ event, names }: { readonly event: ListedEvent; readonly names: Names }) {
  const isFailure = event.outcome === 'failure'
  return (
    <span className={isFailure ? 'sentence bad' : 'sentence'}>
      <span className="mark-of" aria-hidden="true">
        {isFailure ? '✕' : '✓'}
      </span>
      <span>
        <span className="visually-hidden">{isFailure ? 'Failed: ' : ''}</span>
        {eventSentence(event, names)}
      </span>
    </span>
  )
}

type OwnerProps = {
  readonly name: 'subject' | 'client'
  readonly id: string | null
  readonly label: (id: string | null) => string
}

function Owner({ name, id, label }: OwnerProps) {
  if (id === null) return '–'
  return <Link href={`/admin/events?${new URLSearchParams({ [name]: id })}`}>{label(id)}</Link>
}
