/** What happened, newest first: a sentence each, filters in the address. */
import { redirect } from 'next/navigation'
import type { PageInput } from '#app/_ui/visit.ts'
import { eventLabels, eventNames } from '#lib/admin/events/event-sentence.ts'
import { readEvents, type SearchedFor, searchEvents, withoutRepeats } from '#lib/admin/events/read-events.ts'
import { isReferenceId } from '#lib/http/reference-id.ts'
import { type Filter, FilterBar } from '../_ui/filter-bar.tsx'
import { AdminShell, EmptyState, PageHeader } from '../_ui/page-parts.tsx'
import { Pager } from '../_ui/pager.tsx'
import { withAdminErrors } from '../_ui/refused-page.tsx'
import { requireAdminPage } from '../admin-page.ts'
import { withoutEmptyValues } from '../call-use-case.ts'
import { EventTable } from './event-table.tsx'
import { LiveTail } from './live-tail.tsx'
import { requestTracePath } from './paths.ts'

const path = '/admin/events'
const filters: readonly Filter[] = [
  {
    name: 'outcome',
    label: 'Outcome',
    options: [
      ['failure', 'Refused or failed'],
      ['success', 'Succeeded'],
    ],
  },
  { name: 'name', label: 'Event', options: eventNames.map(name => [name, eventLabels[name]]) },
]

export default withAdminErrors(EventsPage)

async function EventsPage(input: PageInput) {
  const page = await requireAdminPage('events:read', path, input)
  const query = withoutEmptyValues(page.query)
  const asked = query.q?.trim().toUpperCase() ?? ''
  if (isReferenceId(asked)) redirect(requestTracePath(asked))
  const { filter, choices } = await searchEvents(page.ports, query, page.actor.role)
  const { events, names, next } = await readEvents(page.ports, filter, query.after)
  const asQuery = new URLSearchParams(query).toString()
  return (
    <AdminShell page={page} title="Events">
      <PageHeader
        title="Events"
        description="Every sign-in, refusal, token, consent and admin change. Enter the request ID of an error page to trace the request."
        action={
          page.reasonAgainst('events:export') === null ? (
            <a className="btn" href={`${path}/export${asQuery === '' ? '' : `?${asQuery}`}`}>
              Export as CSV
            </a>
          ) : undefined
        }
      />
      <FilterBar
        path={path}
        query={query}
        search="Request ID, user, email or client"
        filters={filters}
        hasDays
      />
      <LiveTail newest={events[0]?.id ?? null} query={asQuery} isFirstPage={query.after === undefined} />
      <Choices choices={choices} />
      {events.length === 0 ? (
        <EmptyState title="No events">
          {Object.keys(query).length === 0
            ? 'A sign-in or a token request appears here within a second.'
            : 'No event matches these filters.'}
        </EmptyState>
      ) : (
        <EventTable events={withoutRepeats(events)} names={names} now={page.now} />
      )}
      <div className="pager">
        <Pager path={path} query={query} next={next} count={null} />
      </div>
    </AdminShell>
  )
}

/** Who a search may mean, where it names several. */
function Choices({ choices }: { readonly choices: readonly SearchedFor[] }) {
  if (choices.length === 0) return null
  return (
    <div className="stack">
      <p>Several matches; choose one:</p>
      <ul className="list">
        {choices.map(({ kind, id, name, note }) => (
          <li key={`${kind} ${id}`}>
            <a href={`${path}?${new URLSearchParams({ [kind === 'client' ? 'client' : 'subject']: id })}`}>
              {name}
            </a>{' '}
            <span className="small muted">{note}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
