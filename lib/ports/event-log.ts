/** The events in the database, which the dashboard shows. Written asynchronously in batches. */
import type { CheckResult, Event } from './events.ts'
import type { Additions } from './roll-ups.ts'

export type StoredEvent = {
  /** Grows with time: `<milliseconds, base 36>-<random>`. */
  readonly id: string
  readonly time: Date
  readonly name: Event['name']
  readonly outcome: Event['outcome']
  readonly clientId: string | null
  readonly subject: string | null
  readonly grantType: string | null
  readonly reason: string | null
  readonly referenceId: string
  /** Names the sign-in it belongs to, across requests. */
  readonly flow: string | null
  readonly grantId: string | null
  readonly address: string | null
  readonly userAgent: string | null
  readonly details: NonNullable<Event['details']>
  /** Each check of the request in order, when it was refused. */
  readonly checks: readonly CheckResult[] | null
}

export type EventFilter = {
  readonly name?: Event['name']
  readonly outcome?: Event['outcome']
  readonly clientId?: string
  readonly subject?: string
  readonly reason?: string
  readonly referenceId?: string
  /** The IP address, as it was recorded. */
  readonly address?: string
  readonly from?: Date
  readonly until?: Date
}

export type EventLog = {
  /** All of them or none, with what they add to the sums that charts read. */
  readonly write: (events: readonly StoredEvent[], additions?: Additions) => Promise<void>
  /** Newest first; `before` is the id of the last one of the page before. */
  readonly list: (
    filter: EventFilter,
    before: string | null,
    limit: number,
  ) => Promise<readonly StoredEvent[]>
  /** Oldest first, those that came after `after`: the live tail. */
  readonly newer: (filter: EventFilter, after: string, limit: number) => Promise<readonly StoredEvent[]>
  /** Everything with one of these marks, oldest first: the trace of a sign-in. */
  readonly related: (
    marks: {
      readonly referenceId?: string
      readonly flows?: readonly string[]
      readonly grantIds?: readonly string[]
    },
    limit: number,
  ) => Promise<readonly StoredEvent[]>
}
