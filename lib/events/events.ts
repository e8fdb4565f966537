/** Passes each event to every sink. A sink that fails never disturbs the request of the event. */
import { knownReason, reasonRow } from '#lib/errors/reasons.ts'
import type { Clock } from '#lib/ports/environment.ts'
import type { EventSink, Events, RecordedEvent } from '#lib/ports/events.ts'
import type { LogEntry, LogFields } from '#lib/protocol/request-context.ts'
import type { Log } from './log.ts'

/** Creates the event recorder. `onFailure` is called for sinks that failed; it must not throw. */
export function createEvents(sinks: readonly EventSink[], clock: Clock, onFailure: OnFailure): Events {
  return {
    record: (event, context) => {
      const request = event.outcome === 'failure' ? context.describe?.() : undefined
      const recorded: RecordedEvent = {
        ...event,
        time: clock.now(),
        elapsedMs: context.startedAt === undefined ? null : performance.now() - context.startedAt,
        context,
        ...(request === undefined ? {} : { request }),
      }
      for (const sink of sinks) deliver(sink, recorded, onFailure)
    },
  }
}

type OnFailure = (error: unknown, requestId: string) => void

function deliver(sink: EventSink, event: RecordedEvent, onFailure: OnFailure): void {
  const { requestId } = event.context
  try {
    const pending: unknown = sink.record(event)
    if (pending !== undefined) Promise.resolve(pending).catch(error => onFailure(error, requestId))
  } catch (error) {
    onFailure(error, requestId)
  }
}

/**
 * Writes events to the log. Failures are warnings. The details of unexpected errors are not in events: they go to
 * `log.failure`. The last event of a request waits for the line of its request.
 */
export function logSink(log: Log): EventSink {
  const write = ({ level, message, fields }: LogEntry) => log.write(level, message, fields)
  return {
    record: event => {
      const { lastEntry } = event.context
      const entry = { level: levelOf(event), message: event.name, fields: fieldsOf(event) }
      if (lastEntry === undefined || lastEntry.isAnswered) return write(entry)
      if (lastEntry.waiting !== null) write(lastEntry.waiting)
      lastEntry.waiting = entry
    },
  }
}

function levelOf(event: RecordedEvent): 'info' | 'warn' {
  return event.outcome === 'success' ? 'info' : 'warn'
}

function fieldsOf(event: RecordedEvent): LogFields {
  return {
    event: event.name,
    outcome: event.outcome,
    reason: event.reason,
    clientId: event.clientId,
    subject: event.subject,
    grantType: event.grantType,
    ...detailsOf(event),
    remedy: remedyOf(event),
    address: event.context.address,
    userAgent: event.context.userAgent,
    requestId: event.context.requestId,
    traceId: event.context.traceId,
  }
}

/**
 * Returns the remedy of a failure or of a neutral reason, if anything is to be done. The log shows it because most apps
 * hide the response that they received.
 */
function remedyOf({ outcome, reason }: RecordedEvent): string | undefined {
  const known = reason === undefined ? null : knownReason(reason)
  if (known === null) return undefined
  const { remedy, isNeutral } = reasonRow(known)
  const isExplained = outcome === 'failure' || isNeutral === true
  return isExplained && remedy?.startsWith('No action needed') !== true ? remedy : undefined
}

function detailsOf({ details = {} }: RecordedEvent): LogFields {
  const fields: Record<string, LogFields[string]> = {}
  for (const name of Object.keys(details)) fields[`details.${name}`] = details[name]
  return fields
}
