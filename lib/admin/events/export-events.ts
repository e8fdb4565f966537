/** Events as CSV. Each export is recorded in the audit log. */
import { z } from 'zod'
import { adminList } from '#lib/config/limits.ts'
import type { StoredEvent } from '#lib/ports/events.ts'
import { csvOf } from '../csv.ts'
import { commit } from '../run-use-case.ts'
import { defineUseCase } from '../use-case.ts'
import { eventSentence } from './event-sentence.ts'
import type { Names } from './names.ts'
import { readEvents, searchEvents } from './read-events.ts'

const head = [
  'time',
  'event',
  'outcome',
  'sentence',
  'client_id',
  'subject',
  'reason',
  'request_id',
  'address',
]

export const exportEvents = defineUseCase({
  name: 'events.export',
  permission: 'events:export',
  summary: 'Writes the newest events of a filter into a table.',
  done: 'Events exported.',
  isSensitive: true,
  input: z.object({ query: z.record(z.string(), z.string()) }),
  output: z.object({ csv: z.string() }),
  api: null,
  run: async (ports, { query }, { actor, now, entry }) => {
    const { filter } = await searchEvents(ports, query, actor.role)
    const { events, names } = await readEvents(ports, filter, undefined, adminList.exported)
    const after = { filter: JSON.parse(JSON.stringify(filter)), rows: events.length }
    const audit = [entry({ kind: 'configuration', id: 'events', before: null, after })]
    const csv = csvOf([head, ...events.map(event => rowOf(event, names))])
    return commit(ports, { writes: [], audit }, { now, value: { csv } })
  },
})

function rowOf(event: StoredEvent, names: Names): readonly string[] {
  return [
    event.time.toISOString(),
    event.name,
    event.outcome,
    eventSentence(event, names),
    event.clientId ?? '',
    event.subject ?? '',
    event.reason ?? '',
    event.referenceId,
    event.address ?? '',
  ]
}
