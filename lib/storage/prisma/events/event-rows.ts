/** Events and their columns. */
import type { StoredEvent } from '#lib/ports/event-log.ts'
import type { Event as EventRow } from '#prisma/generated/sqlite/client.ts'

export function eventToRow(event: StoredEvent): EventRow {
  return {
    id: event.id,
    time: event.time,
    name: event.name,
    outcome: event.outcome,
    clientId: storable(event.clientId),
    subject: storable(event.subject),
    grantType: storable(event.grantType),
    reason: storable(event.reason),
    referenceId: event.referenceId,
    flow: event.flow,
    grantId: storable(event.grantId),
    address: storable(event.address),
    userAgent: storable(event.userAgent),
    details: Object.keys(event.details).length === 0 ? null : JSON.stringify(event.details),
    checks: event.checks && JSON.stringify(event.checks),
  }
}

/** NOTE: PostgreSQL takes no NUL and no half a character, and one event with it would lose all that are written with it. */
function storable(text: string | null): string | null {
  return text === null ? null : text.replaceAll('\0', '\ufffd').toWellFormed()
}

/** Only we write these rows, through the same types. */
export function eventFromRow(row: EventRow): StoredEvent {
  return {
    ...row,
    name: row.name as StoredEvent['name'],
    outcome: row.outcome as StoredEvent['outcome'],
    details: row.details === null ? {} : JSON.parse(row.details),
    checks: row.checks === null ? null : JSON.parse(row.checks),
  }
}
