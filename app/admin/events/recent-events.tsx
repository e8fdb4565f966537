/** The latest events of one thing, on its own page. */
import { readEvents } from '#lib/admin/events/read-events.ts'
import { Link } from '../_ui/link.tsx'
import { Section } from '../_ui/page-parts.tsx'
import type { AdminPage } from '../admin-page.ts'
import { EventList } from './event-list.tsx'

const shown = 8

type RecentEventsProps = {
  readonly page: AdminPage
  readonly filter: { readonly subject: string } | { readonly clientId: string }
}

export async function RecentEvents({ page, filter }: RecentEventsProps) {
  const { events, names } = await readEvents(page.ports, filter, undefined, shown)
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
        <p className="small muted">Nothing happened yet.</p>
      ) : (
        <EventList events={events} names={names} now={page.now} />
      )}
    </Section>
  )
}
