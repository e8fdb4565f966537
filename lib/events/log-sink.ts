/** The sink that always runs: every event as one line of the log, field by field from an allow-list. */
import type { EventSink, RecordedEvent } from '#lib/ports/events.ts'
import type { Log, LogFields } from './log.ts'

/** Failures are warnings. Unexpected errors are not events: they go to `log.failure`. */
export function logSink(log: Log): EventSink {
  return { record: event => log.write(levelOf(event), event.name, fieldsOf(event)) }
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
    address: event.context.address,
    userAgent: event.context.userAgent,
    referenceId: event.context.referenceId,
  }
}

function detailsOf(event: RecordedEvent): LogFields {
  const named = Object.entries(event.details ?? {}).map(([name, value]) => [`details.${name}`, value])
  return Object.fromEntries(named)
}
