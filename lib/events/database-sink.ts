/**
 * The sink that stores events in the database, in batches and outside of requests. While the database is unavailable,
 * events wait without delaying requests. If too many wait, the oldest are lost, and `onFailure` receives their number.
 */
import { randomBytes } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { events as limits, repeatedUserinfo } from '#lib/config/limits.ts'
import type { EventLog, EventSink, RecordedEvent, StoredEvent } from '#lib/ports/events.ts'
import type { SentAnswer } from '#lib/protocol/request-context.ts'
import { eventIdMark } from '#lib/protocol/request-context.ts'
import { additionsOf } from './aggregates.ts'
import { safeText } from './safe-text.ts'

/**
 * The events that are only counted: successful token validations, and introspections of any token, which APIs make with
 * each request. The log contains each one; as rows they would hide other events. A refusal has a different event name.
 */
const countedOnly: ReadonlySet<RecordedEvent['name']> = new Set(['token_validated', 'token_introspected'])

export type EventBuffer = EventSink & {
  /** Resolves when everything recorded until now is written, or could not be written. */
  readonly flush: () => Promise<void>
  /** The number of events that wait, and of those that were lost since the start. */
  readonly counts: () => { readonly waiting: number; readonly lost: number }
}

type EventBufferParts = {
  readonly log: Pick<EventLog, 'write'>
  /** Called for batches that could not be written, and for dropped events. It must not throw. */
  readonly onFailure: (error: unknown, lost: number) => void
}

export function createEventBuffer({ log, onFailure }: EventBufferParts): EventBuffer {
  const nextId = createEventIds()
  const userinfo = createUserinfoRows()
  let waiting: RecordedEvent[] = []
  let [lost, allLost] = [0, 0]
  let isScheduled = false
  let writing: Promise<void> = Promise.resolve()

  /** Writes the waiting events; those that are recorded in the meantime wait for the next flush. */
  async function writeAll(): Promise<void> {
    for (let left = waiting.length; left > 0; left -= limits.writtenTogether) {
      if (!(await writeSome(Math.min(left, limits.writtenTogether)))) return schedule()
      // NOTE: SQLite never leaves the microtask queue, so without this turn of the event loop requests would wait for
      // all batches
      await setImmediate()
    }
  }

  async function writeSome(count: number): Promise<boolean> {
    const batch = waiting.splice(0, count)
    const kept = batch.filter(event => !countedOnly.has(event.name) && !userinfo.isRepeated(event))
    try {
      const stored = kept.map(event => storedEvent(event, nextId(event.time)))
      await log.write(stored, additionsOf(batch))
    } catch (error) {
      userinfo.forget()
      // The batch is written at the next flush, unless newer events need the space
      waiting = [...batch, ...waiting]
      drop()
      report(error)
      return false
    }
    if (lost > 0) report(new Error('more events came than could be written'))
    return true
  }

  function report(error: unknown): void {
    onFailure(error, lost)
    lost = 0
  }

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => {
      isScheduled = false
      void flush()
    }, limits.writeEveryMs).unref()
  }

  function drop(): void {
    const surplus = waiting.length - limits.mostWaiting
    if (surplus <= 0) return
    waiting.splice(0, surplus)
    lost += surplus
    allLost += surplus
  }

  function flush(): Promise<void> {
    writing = writing.then(writeAll)
    return writing
  }

  return {
    record: event => {
      waiting.push({ ...event, context: storedContext(event.context) })
      if (waiting.length > limits.mostWaiting) drop()
      // A full batch is written immediately: waiting events survive garbage collections, which take longer with more
      // live objects
      if (waiting.length === limits.writtenTogether) void flush()
      else schedule()
    },
    flush,
    counts: () => ({ waiting: waiting.length, lost: allLost }),
  }
}

/** Omits the other members of the context, which belong to the request. */
function storedContext({ requestId, address, userAgent, traceId }: RecordedEvent['context']) {
  return { requestId, address, userAgent, ...(traceId === undefined ? {} : { traceId }) }
}

/**
 * Limits the rows for userinfo: an API that calls it with each request adds one row in a minute. A different address with
 * the same grant has a separate row.
 */
function createUserinfoRows() {
  const lastRows = new Map<string, number>()
  return {
    isRepeated: ({ name, grantId, time, context }: RecordedEvent): boolean => {
      if (name !== 'userinfo_answered' || !grantId) return false
      const caller = `${grantId} ${context.address}`
      const last = lastRows.get(caller)
      if (last !== undefined && time.getTime() - last < repeatedUserinfo.withinMs) return true
      if (lastRows.size >= repeatedUserinfo.remembered) lastRows.clear()
      lastRows.set(caller, time.getTime())
      return false
    },
    /** Forgets all rows. Called when rows could not be written. */
    forget: () => lastRows.clear(),
  }
}

/** Creates a function that makes IDs, which sort by time, and within one millisecond by order. */
function createEventIds(): (time: Date) => string {
  const process = randomBytes(4).toString('hex')
  let count = 0
  return time => {
    count = (count + 1) % 1_000_000
    return `${eventIdMark(time)}-${String(count).padStart(6, '0')}${process}`
  }
}

function storedEvent(event: RecordedEvent, id: string): StoredEvent {
  const { context } = event
  return {
    id,
    time: event.time,
    name: event.name,
    outcome: event.outcome,
    clientId: safe(event.clientId),
    subject: safe(event.subject),
    grantType: safe(event.grantType),
    reason: safe(event.reason),
    requestId: context.requestId,
    flow: event.flow ?? null,
    grantId: event.grantId ?? null,
    address: context.address,
    userAgent: safe(context.userAgent),
    details: safeDetails({
      ...event.details,
      ...requestDetails(event.request),
      ...(context.traceId !== undefined && { traceId: context.traceId }),
    }),
    checks: event.checks === undefined ? null : event.checks.map(safeCheck),
  }
}

function safe(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : safeText(text)
}

/** Returns the request as `details`, with names that begin with `request.`, `sent.` and `answer.`. */
function requestDetails(request: RecordedEvent['request']): NonNullable<RecordedEvent['details']> {
  if (request === undefined) return {}
  const { method, endpoint, parameters, others, authorization, answer } = request
  const sent = Object.entries(parameters).map(([name, value]) => [`sent.${name}`, value] as const)
  return {
    'request.method': method,
    'request.endpoint': endpoint,
    ...(authorization === null ? {} : { 'request.authorization': authorization }),
    ...(others === 0 ? {} : { 'request.others': others }),
    ...Object.fromEntries(sent),
    ...(answer === null ? {} : answerDetails(answer)),
  }
}

function answerDetails({ status, error, description }: SentAnswer): NonNullable<RecordedEvent['details']> {
  return {
    'answer.status': status,
    ...(error === null ? {} : { 'answer.error': error }),
    ...(description === null ? {} : { 'answer.error_description': description }),
  }
}

function safeDetails(details: NonNullable<RecordedEvent['details']>): StoredEvent['details'] {
  const entries = Object.entries(details)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? safeText(value) : value]),
  )
}

function safeCheck(check: NonNullable<RecordedEvent['checks']>[number]) {
  const { sent, expected } = check
  return {
    ...check,
    ...(sent === undefined ? {} : { sent: safeText(sent) }),
    ...(expected === undefined ? {} : { expected: expected.map(safeText) }),
  }
}
