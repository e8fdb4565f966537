/** Events and stories for the API: what the pages read, under the same guard. */
import { z } from 'zod'
import { clientIdSchema, subjectIdSchema } from '#lib/protocol/ids.ts'
import { notFound, ok } from '../admin-result.ts'
import { pageFields } from '../paging.ts'
import { defineUseCase } from '../use-case.ts'
import { eventNames } from './event-sentence.ts'
import { eventView, eventViewSchema, outcomeSchema } from './event-view.ts'
import { readEvents, searchEvents } from './read-events.ts'
import { readRequestTrace } from './request-trace.ts'
import { requestTraceView, requestTraceViewSchema } from './request-trace-view.ts'

const day = z.iso.date()

export const listEvents = defineUseCase({
  name: 'events.list',
  permission: 'events:read',
  summary:
    'Lists what happened, newest first, each as a sentence; `q` is a user name, name, e-mail address, client or ID.',
  done: '',
  input: z.strictObject({
    q: z.string().max(255).optional(),
    name: z.enum(eventNames).optional(),
    outcome: outcomeSchema.optional(),
    client_id: clientIdSchema.optional(),
    sub: subjectIdSchema.optional(),
    reason: z.string().max(100).optional(),
    from: day.describe('The first day, in UTC.').optional(),
    until: day.describe('The last day, in UTC.').optional(),
    ...pageFields,
  }),
  output: z.object({ items: z.array(eventViewSchema), next: z.string().nullable() }),
  api: { method: 'GET', path: '/events' },
  run: async (ports, { after, limit, client_id: client, sub: subject, ...others }, { actor }) => {
    const asked = given({ ...others, client, subject })
    const { filter } = await searchEvents(ports, asked, actor.role)
    const { events, names, next } = await readEvents(ports, filter, after, limit)
    return ok({ items: events.map(event => eventView(event, names)), next })
  },
})

export const readRequestTraceUseCase = defineUseCase({
  name: 'events.read_trace',
  permission: 'events:read',
  summary:
    'Reads the trace of one request by the request ID of its answer: each check, the one that failed, and the remedy.',
  done: '',
  input: z.object({ request_id: z.string().max(100).toUpperCase() }),
  output: requestTraceViewSchema,
  api: { method: 'GET', path: '/events/requests/{request_id}' },
  run: async (ports, { request_id }) => {
    const trace = await readRequestTrace(ports, request_id)
    return trace === null ? notFound : ok(requestTraceView(trace))
  },
})

function given(asked: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const named = Object.entries(asked)
  return Object.fromEntries(named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
