/** The sentence of an event, which is a link to its request trace, and links to the events of its user and client. */
import { eventSentence } from '#lib/admin/events/event-sentence.ts'
import type { EventPage } from '#lib/admin/events/read-events.ts'
import type { Names } from '#lib/admin/names.ts'
import { requestTracePath } from '#lib/admin/page-paths.ts'
import { Link } from '../_ui/link.tsx'

type LinkedSentenceProps = { readonly event: EventPage['events'][number]; readonly names: Names }

export function LinkedSentence({ event, names }: LinkedSentenceProps) {
  const { requestId, subject, clientId } = event
  return (
    <>
      <Link href={requestTracePath(requestId)}>{eventSentence(event, names)}</Link>
      {subject !== null && <SameOwner name="subject" id={subject} kind="user" label={names.user(subject)} />}
      {clientId !== null && (
        <SameOwner name="client" id={clientId} kind="client" label={names.client(clientId)} />
      )}
    </>
  )
}

type SameOwnerProps = {
  readonly name: 'subject' | 'client'
  readonly id: string
  readonly kind: string
  readonly label: string
}

function SameOwner({ name, id, kind, label }: SameOwnerProps) {
  return (
    <span className="small muted whitespace-nowrap">
      {' · '}
      <Link href={`/admin/events?${new URLSearchParams({ [name]: id })}`}>
        {`same ${kind}`}
        <span className="visually-hidden">{`: ${label}`}</span>
      </Link>
    </span>
  )
}
