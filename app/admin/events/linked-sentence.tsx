/** The sentence of an event, in which the names of its user and client are links to their events. */
import { Fragment } from 'react'
import { eventSentence } from '#lib/admin/events/event-sentence.ts'
import type { EventPage } from '#lib/admin/events/read-events.ts'
import type { Names } from '#lib/admin/names.ts'
import { Link } from '../_ui/link.tsx'
import { linkNames } from './link-names.ts'

type LinkedSentenceProps = { readonly event: EventPage['events'][number]; readonly names: Names }

/** A sentence with links. A name that the sentence does not contain follows it, so that each name appears once. */
export function LinkedSentence({ event, names }: LinkedSentenceProps) {
  const owners = [
    { name: 'subject', id: event.subject, label: names.user(event.subject) },
    { name: 'client', id: event.clientId, label: names.client(event.clientId) },
  ].flatMap(({ id, ...owner }) => (id === null ? [] : [{ ...owner, id }]))
  const { parts, others } = linkNames(eventSentence(event, names), owners)
  return (
    <>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence keep their order
        <Fragment key={index}>{typeof part === 'string' ? part : <OwnerLink {...part} />}</Fragment>
      ))}
      {others.map(owner => (
        <span key={owner.name} className="small muted">
          {' '}
          · <OwnerLink {...owner} />
        </span>
      ))}
    </>
  )
}

type Owner = { readonly name: string; readonly id: string; readonly label: string }

function OwnerLink({ name, id, label }: Owner) {
  return <Link href={`/admin/events?${new URLSearchParams({ [name]: id })}`}>{label}</Link>
}
