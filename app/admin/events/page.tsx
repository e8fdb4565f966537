/** The page with the list of events, whose filters and order are in the address. */

import { redirect } from 'next/navigation'
import { eventLabel, eventNames } from '#lib/admin/events/event-sentence.ts'
import {
  dashboardSignIns,
  type EventPage,
  eventOrderSchema,
  readEvents,
  type SearchedFor,
  searchEvents,
  withoutRepeats,
} from '#lib/admin/events/read-events.ts'
import { readRequestTrace } from '#lib/admin/events/request-trace.ts'
import type { Names } from '#lib/admin/names.ts'
import { requestTracePath } from '#lib/admin/page-paths.ts'
import { isRequestId, readRequestId } from '#lib/protocol/text/request-ids.ts'
import { browserAddress } from '#lib/protocol/wire/own-addresses.ts'
import { type Column, DataTable } from '../_ui/data-table.tsx'
import { type Filter, FilterBar } from '../_ui/filter-bar.tsx'
import { Link } from '../_ui/link.tsx'
import { AdminShell, EmptyState } from '../_ui/page-parts.tsx'
import { Pager } from '../_ui/pager.tsx'
import { TimeAgo } from '../_ui/times.tsx'
import { type AdminPage, adminPage, type Query, withoutEmptyValues, withoutPosition } from '../admin-page.tsx'
import { LinkedSentence } from './linked-sentence.tsx'
import { LiveTail } from './live-tail.tsx'

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
  { name: 'name', label: 'Event', options: eventNames.map(name => [name, eventLabel(name)]) },
]

export default adminPage('events:read', path, EventsPage)

async function EventsPage(page: AdminPage) {
  const query = withoutEmptyValues(page.query)
  const asked = await askedRequest(page, query.q ?? '')
  if (asked !== null) redirect(requestTracePath(asked))
  const { filter, choices } = await searchEvents(page.ports, query, page.actor.role)
  const isShowingOwn = query[dashboardSignIns] === 'shown'
  const order = eventOrderSchema.catch(undefined).parse(query.sort)
  const isNewestFirst = order?.isDescending !== false
  const { events, names, next } = await readEvents(page.ports, filter, { after: query.after, order })
  const asQuery = new URLSearchParams(query).toString()
  return (
    <AdminShell
      page={page}
      title="Events"
      description="Every sign-in, refusal, token, consent and admin change. Enter the request ID of an error page to trace the request."
      action={
        page.reasonAgainst('events:export') === null ? (
          <a className="btn" href={browserAddress(`${path}/export${asQuery === '' ? '' : `?${asQuery}`}`)}>
            Export as CSV
          </a>
        ) : undefined
      }
    >
      <FilterBar
        path={path}
        query={query}
        search="Request ID, user, email, client or IP address"
        filters={filters}
        hasDays
        kept={isShowingOwn ? { [dashboardSignIns]: 'shown' } : {}}
      />
      {filter.clientId === undefined && <OwnSignIns query={query} isShown={isShowingOwn} />}
      <LiveTail
        newest={events[0]?.id ?? null}
        query={asQuery}
        isFirstPage={isNewestFirst && query.after === undefined}
      />
      <Choices choices={choices} />
      {events.length === 0 ? (
        <EmptyState title="No events">
          {Object.keys(query).length === 0
            ? 'A sign-in or a token request appears here within a second.'
            : 'No event matches these filters.'}
        </EmptyState>
      ) : (
        <div className="event-table">
          <DataTable
            caption="Events"
            columns={columnsOf(names, page.now)}
            rows={withoutRepeats(events)}
            keyOf={({ id }) => id}
            sorting={{ path, query: { ...query, sort: isNewestFirst ? '-time' : 'time' } }}
          />
        </div>
      )}
      <div className="pager">
        <Pager path={path} query={query} next={next} count={null} />
      </div>
    </AdminShell>
  )
}

/** The request ID in a search text. A text without a hyphen may also be a name: the request must then exist. */
async function askedRequest({ ports, actor }: AdminPage, text: string): Promise<string | null> {
  const id = readRequestId(text)
  if (id === null || isRequestId(text.trim().toUpperCase())) return id
  return (await readRequestTrace(ports, id, actor)) === null ? null : id
}

type OwnSignInsProps = { readonly query: Query; readonly isShown: boolean }

function OwnSignIns({ query, isShown }: OwnSignInsProps) {
  const { [dashboardSignIns]: _shown, ...others } = withoutPosition(query)
  const search = new URLSearchParams(isShown ? others : { ...others, [dashboardSignIns]: 'shown' })
  return (
    <p className="small muted">
      {isShown
        ? 'With every event of sign-ins to this dashboard. '
        : 'A sign-in to this dashboard is one line. '}
      <Link href={`${path}?${search}`}>{isShown ? 'One line for each' : 'Show all its events'}</Link>
    </p>
  )
}

/** The users and clients that match the search text, if there are several. */
function Choices({ choices }: { readonly choices: readonly SearchedFor[] }) {
  if (choices.length === 0) return null
  return (
    <div className="stack">
      <p>Several matches; choose one:</p>
      <ul className="list">
        {choices.map(({ kind, id, name, note }) => (
          <li key={`${kind} ${id}`}>
            <a
              href={browserAddress(
                `${path}?${new URLSearchParams({ [kind === 'client' ? 'client' : 'subject']: id })}`,
              )}
            >
              {name}
            </a>{' '}
            <span className="small muted">{note}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

type ListedEvent = EventPage['events'][number]

function columnsOf(names: Names, now: Date): readonly Column<ListedEvent>[] {
  return [
    { name: 'Event', cell: event => <Sentence event={event} names={names} /> },
    { name: 'IP address', cell: ({ address }) => <span className="mono">{address ?? '–'}</span> },
    {
      name: 'Request ID',
      cell: ({ requestId }) => <span className="reference-of mono">{requestId}</span>,
    },
    { name: 'Time', sort: 'time', cell: ({ time }) => <TimeAgo at={time} now={now} /> },
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
        <LinkedSentence event={event} names={names} />
      </span>
    </span>
  )
}
