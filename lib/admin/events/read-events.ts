/** The list of events as admins filter it, and what came since. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { EventFilter, StoredEvent } from '#lib/ports/event-log.ts'
import { clientIdSchema } from '#lib/protocol/ids.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { nextToken, pageRequest } from '../paging.ts'
import { eventNames, type Names } from './event-sentence.ts'
import { namesIn } from './names.ts'

export type EventPage = {
  readonly events: readonly StoredEvent[]
  readonly names: Names
  readonly next: string | null
}

/**
 * Filters that are not understood are left out: a link from elsewhere still shows something. `q` is a client id where
 * there is such a client, else a subject.
 */
export async function eventFilter(
  { clients }: Pick<AdminPorts, 'clients'>,
  query: Readonly<Record<string, string>>,
): Promise<EventFilter> {
  const searched = clientIdSchema.safeParse(query.q?.trim())
  const isClient = searched.success && (await clients.find(searched.data)) !== null
  const name = eventNames.find(it => it === query.name)
  const outcome = z.enum(['success', 'failure']).safeParse(query.outcome).data
  const from = dayIn(query.from)
  const until = dayIn(query.until)
  return {
    ...(name === undefined ? {} : { name }),
    ...(outcome === undefined ? {} : { outcome }),
    ...given('clientId', query.client ?? (isClient ? searched.data : undefined)),
    ...given('subject', query.subject ?? (isClient ? undefined : query.q?.trim())),
    ...given('reason', query.reason),
    ...(from === null ? {} : { from }),
    ...(until === null ? {} : { until }),
  }
}

export async function readEvents(
  ports: AdminPorts,
  filter: EventFilter,
  token: string | undefined,
  limit: number = adminList.page * 2,
): Promise<EventPage> {
  await ports.flushEvents()
  const listed = { list: 'events', filter: JSON.parse(JSON.stringify(filter)) }
  const { after } = pageRequest(ports, listed, token, limit)
  const events = await ports.eventLog.list(filter, after, limit)
  const last = events.length < limit ? null : (events.at(-1)?.id ?? null)
  return {
    events,
    names: await namesIn(ports, events),
    next: nextToken(ports, listed, { items: events, next: last }),
  }
}

/** How many came after the newest one that an admin sees; stops counting at a page. */
export async function countNewer(ports: AdminPorts, filter: EventFilter, newest: string): Promise<number> {
  const newer = await ports.eventLog.newer(filter, newest, adminList.largestPage)
  return newer.length
}

function given(name: 'clientId' | 'subject' | 'reason', value: string | undefined) {
  return value === undefined || value === '' ? {} : { [name]: value }
}

function dayIn(text: string | undefined): Date | null {
  return text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null
}
