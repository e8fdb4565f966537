/** The use cases for events: the list, the trace of a request, and the export. */

import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { readRequestId } from '#lib/protocol/text/request-ids.ts'
import { notFound, ok } from '../admin-result.ts'
import { type Columns, defineExport, linesOf } from '../csv.ts'
import { pageFields } from '../paging.ts'
import { defineUseCase, type UseCase } from '../use-case.ts'
import { eventNames } from './event-sentence.ts'
import {
  eventView,
  eventViewSchema,
  outcomeSchema,
  requestTraceView,
  requestTraceViewSchema,
} from './event-view.ts'
import { dashboardSignIns, eventOrderSchema, readEvents, searchEvents } from './read-events.ts'
import { readRequestTrace } from './request-trace.ts'

const day = z.iso.date()

export const listEvents = defineUseCase({
  name: 'events.list',
  permission: 'events:read',
  summary:
    'Lists events, each with a sentence; without `sort` newest first. `q` is a user name, name, email address, client, IP address or ID.',
  input: z.strictObject({
    q: z.string().max(255).optional(),
    name: z.enum(eventNames).optional(),
    outcome: outcomeSchema.optional(),
    client_id: clientIdSchema.optional(),
    sub: subjectIdSchema.optional(),
    reason: z.string().max(100).optional(),
    from: day.describe('The first day, in UTC.').optional(),
    until: day.describe('The last day, in UTC.').optional(),
    sort: eventOrderSchema,
    ...pageFields,
  }),
  output: z.object({ items: z.array(eventViewSchema), next: z.string().nullable() }),
  api: { method: 'GET', path: '/events' },
  run: async (
    ports,
    { after, limit, sort: order, client_id: client, sub: subject, ...others },
    { actor },
  ) => {
    const asked = given({ ...others, client, subject, [dashboardSignIns]: 'shown' })
    const { filter } = await searchEvents(ports, asked, actor.role)
    const { events, names, next } = await readEvents(ports, filter, { after, limit, order })
    return ok({ items: events.map(event => eventView(event, names)), next })
  },
})

export const readRequestTraceUseCase = defineUseCase({
  name: 'events.read_trace',
  permission: 'events:read',
  summary:
    'Reads the trace of one request by the request ID of its answer: each check, the one that failed, and the remedy.',
  input: z.object({ request_id: z.string().max(100) }),
  output: requestTraceViewSchema,
  api: { method: 'GET', path: '/events/requests/{request_id}' },
  run: async (ports, { request_id }, { actor }) => {
    const trace = await readRequestTrace(ports, readRequestId(request_id) ?? request_id, actor)
    return trace === null ? notFound : ok(requestTraceView(trace))
  },
})

function given(asked: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const named = Object.entries(asked)
  return Object.fromEntries(named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

export const exportEvents = defineExport({
  name: 'events.export',
  permission: 'events:export',
  summary: 'Exports the first events of a filter as CSV, without an order the newest.',
  input: z.object({ query: z.record(z.string(), z.string()) }),
  audited: 'events',
  read: async (ports, { query }, { actor }) => {
    const { filter } = await searchEvents(ports, query, actor.role)
    const order = eventOrderSchema.catch(undefined).parse(query.sort)
    const { events, names } = await readEvents(ports, filter, { limit: adminList.exported, order })
    const rows = events.map(event => eventView(event, names))
    return { noted: { filter }, lines: linesOf(columns, rows) }
  },
})

const columns: Columns<ReturnType<typeof eventView>> = {
  time: ({ time }) => time,
  event: ({ name }) => name,
  outcome: ({ outcome }) => outcome,
  sentence: ({ sentence }) => sentence,
  client_id: row => row.client_id,
  subject: ({ sub }) => sub,
  reason: ({ reason }) => reason,
  request_id: row => row.request_id,
  address: ({ address }) => address,
}

export const eventUseCases: readonly UseCase[] = [listEvents, readRequestTraceUseCase, exportEvents]
