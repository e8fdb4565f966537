/** What happened, newest first: a sentence each, filters in the address. */
import { redirect } from 'next/navigation'
import type { PageInput } from '#app/_ui/visit.ts'
import { eventNames } from '#lib/admin/events/event-sentence.ts'
import { eventFilter, readEvents } from '#lib/admin/events/read-events.ts'
import { isReferenceId } from '#lib/http/reference-id.ts'
import { AdminShell } from '../_ui/admin-shell.tsx'
import { EmptyState } from '../_ui/empty-state.tsx'
import { type Filter, FilterBar } from '../_ui/filter-bar.tsx'
import { LiveTail } from '../_ui/live-tail.tsx'
import { PageHeader } from '../_ui/page-header.tsx'
import { Pager } from '../_ui/pager.tsx'
import { withAdminErrors } from '../_ui/with-admin-errors.tsx'
import { requireAdminPage } from '../admin-page.ts'
import { withoutEmptyValues } from '../call-use-case.ts'
import { EventList } from './event-list.tsx'
import { storyPath } from './paths.ts'

const path = '/admin/events'
const filters: readonly Filter[] = [
  {
    name: 'outcome',
    label: 'Outcome',
    options: [
      ['failure', 'Refused or failed'],
      ['success', 'Went well'],
    ],
  },
  { name: 'name', label: 'What', options: eventNames.map(name => [name, name.replaceAll('_', ' ')]) },
]

export default withAdminErrors(EventsPage)

async function EventsPage(input: PageInput) {
  const page = await requireAdminPage('events:read', path, input)
  const query = withoutEmptyValues(page.query)
  const asked = query.q?.trim().toUpperCase() ?? ''
  if (isReferenceId(asked)) redirect(storyPath(asked))
  const { events, names, next } = await readEvents(
    page.ports,
    await eventFilter(page.ports, query),
    query.after,
  )
  const asQuery = new URLSearchParams(query).toString()
  return (
    <AdminShell page={page} title="Events">
      <PageHeader
        title="Events"
        description="Every sign-in, refusal, token, consent and admin change. Enter the reference of an error page to see its story."
        action={
          page.reasonAgainst('events:export') === null ? (
            <a className="btn" href={`${path}/export${asQuery === '' ? '' : `?${asQuery}`}`}>
              Export as CSV
            </a>
          ) : undefined
        }
      />
      <FilterBar path={path} query={query} search="Reference, client id or subject" filters={filters} />
      {events.length === 0 ? (
        <EmptyState title="Nothing to tell">
          {Object.keys(query).length === 0
            ? 'As soon as somebody signs in or an app asks for a token, it stands here within a second.'
            : 'No event fits these filters. Clear them to see everything.'}
        </EmptyState>
      ) : (
        <EventList events={events} names={names} now={page.now} />
      )}
      <div className="pager">
        <LiveTail newest={events[0]?.id ?? null} query={asQuery} isFirstPage={query.after === undefined} />
        <Pager path={path} query={query} next={next} count={null} />
      </div>
    </AdminShell>
  )
}
