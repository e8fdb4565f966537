/** Reads the filtered list of events, and counts newer ones. */
import { isIP } from 'node:net'
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import { findRegistration } from '#lib/ports/clients.ts'
import type { EventFilter, StoredEvent } from '#lib/ports/events.ts'
import type { AdminRole } from '#lib/protocol/admin-role.ts'
import { secondsAfter } from '#lib/protocol/time.ts'
import { adminClientId } from '../access/built-in.ts'
import type { AdminPorts } from '../admin-ports.ts'
import { type Names, namesIn } from '../names.ts'
import { nextToken, orderSchema, pageRequest } from '../paging.ts'
import { onlyMatch, type SearchResult, searchAdmin } from '../search/search.ts'
import { eventNames } from './event-sentence.ts'

export type EventPage = {
  readonly events: readonly StoredEvent[]
  readonly names: Names
  readonly next: string | null
}

export type EventSearch = {
  readonly filter: EventFilter
  /** The users and clients that match the search text, if it does not identify one of them. */
  readonly choices: readonly SearchedFor[]
}

export type SearchedFor = SearchResult & { readonly kind: 'client' | 'user' }

/**
 * Reads the filters of a list of events. A filter that is not understood is ignored, so that a link from elsewhere still shows
 * events. `q` is a text that `searchAdmin` finds for the role, an IP address, or an ID. `until` is the last day, in UTC. The
 * successful events of sign-ins to the dashboard are left out unless the query requests them or a client.
 */
export async function searchEvents(
  ports: SearchPorts,
  query: Readonly<Record<string, string>>,
  role: AdminRole,
): Promise<EventSearch> {
  const { owner, choices } = await ownerOf(ports, query.q?.trim() ?? '', role)
  const name = eventNames.find(it => it === query.name)
  const outcome = z.enum(['success', 'failure']).safeParse(query.outcome).data
  const from = dayIn(query.from)
  const until = dayIn(query.until)
  const filter = {
    ...owner,
    ...(name === undefined ? {} : { name }),
    ...(outcome === undefined ? {} : { outcome }),
    ...given('clientId', query.client),
    ...given('subject', query.subject),
    ...given('reason', query.reason),
    ...(from === null ? {} : { from }),
    ...(until === null ? {} : { until: secondsAfter(until, secondsInDay) }),
  }
  return { filter: hidesOwnSignIns(query, filter) ? { ...filter, ...withoutOwnSignIns } : filter, choices }
}

const withoutOwnSignIns = { withoutSuccessesOf: adminClientId } as const

/** Whether to leave out the successful events of sign-ins to the dashboard. */
function hidesOwnSignIns(query: Readonly<Record<string, string>>, filter: EventFilter): boolean {
  return query[dashboardSignIns] !== 'shown' && filter.clientId === undefined
}

/** The query parameter that shows sign-ins to the dashboard. */
export const dashboardSignIns = 'dashboard_sign_ins'

const secondsInDay = 86_400

type SearchPorts = Pick<AdminPorts, 'clients' | 'adminLists' | 'clock'>
type Owner = Pick<EventFilter, 'clientId' | 'subject' | 'address'>

async function ownerOf(
  ports: SearchPorts,
  text: string,
  role: AdminRole,
): Promise<Pick<EventSearch, 'choices'> & { readonly owner: Owner }> {
  if (text === '') return { owner: {}, choices: [] }
  if (isIP(text) !== 0) return { owner: { address: text.toLowerCase() }, choices: [] }
  const found = (await searchAdmin(ports, { role, text, now: ports.clock.now() })).filter(isOwner)
  const only = onlyMatch(found)
  if (only !== null)
    return { owner: only.kind === 'client' ? { clientId: only.id } : { subject: only.id }, choices: [] }
  if (found.length > 0) return { owner: { subject: text }, choices: found }
  // The text may be the ID of a deleted object, or of an object that the role cannot search
  const client = await findRegistration(ports, text)
  return { owner: client === null ? { subject: text } : { clientId: text }, choices: [] }
}

function isOwner(result: SearchResult): result is SearchedFor {
  return result.kind === 'client' || result.kind === 'user'
}

/** Leaves out refusals of requests for which the list also has the event with the cause. Such requests record both. */
export function withoutRepeats(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const explained = new Set(events.filter(isCause).map(({ requestId }) => requestId))
  return events.filter(({ name, requestId }) => !(repeating.has(name) && explained.has(requestId)))
}

const repeating: ReadonlySet<StoredEvent['name']> = new Set(['token_refused', 'request_refused'])

const causes: ReadonlySet<StoredEvent['name']> = new Set([
  'client_authentication_failed',
  'client_authentication_limited',
  'code_replayed',
  'refresh_token_replayed',
  'sign_in_failed',
  'sign_in_limited',
])

function isCause({ name, outcome }: StoredEvent): boolean {
  return outcome === 'failure' && causes.has(name)
}

export const eventOrderSchema = orderSchema(['time'])

type EventPageRequest = {
  /** The token of the page to read; left out for the first page. */
  readonly after?: string | undefined
  readonly limit?: number
  /** The order; left out for the newest first. */
  readonly order?: z.output<typeof eventOrderSchema>
}

export async function readEvents(
  ports: AdminPorts,
  filter: EventFilter,
  { after: token, limit = adminList.page * 2, order }: EventPageRequest = {},
): Promise<EventPage> {
  await ports.flushEvents()
  const isOldestFirst = order?.isDescending === false
  const listed = { list: 'events', filter: { ...JSON.parse(JSON.stringify(filter)), isOldestFirst } }
  const { after } = pageRequest(ports, listed, token, limit)
  const { eventLog } = ports
  const events = await (isOldestFirst ? eventLog.newer : eventLog.list)(filter, after, limit)
  const last = events.length < limit ? null : (events.at(-1)?.id ?? null)
  return {
    events,
    names: await namesIn(ports, events),
    next: nextToken(ports, listed, { items: events, next: last }),
  }
}

/** Counts the events after the newest one that an admin sees, up to the largest page. */
export async function countNewer(ports: AdminPorts, filter: EventFilter, newest: string): Promise<number> {
  const newer = await ports.eventLog.newer(filter, newest, adminList.largestPage)
  return newer.length
}

function given(name: 'clientId' | 'subject' | 'reason', value: string | undefined) {
  return value === undefined || value === '' ? {} : { [name]: value }
}

function dayIn(text: string | undefined): Date | null {
  return z.iso.date().safeParse(text).success ? new Date(`${text}T00:00:00Z`) : null
}
