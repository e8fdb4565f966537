/** Events for the log, the dashboard, and sinks that an operator adds. */
import type { CheckResult } from '#lib/errors/checks.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import type { RequestContext, SentRequest } from '#lib/protocol/request-context.ts'
import type { Additions } from './aggregates.ts'
import type { EventName } from './event-names.ts'

/** An event. It must not contain a token, code, password or secret. */
export type Event = {
  readonly name: EventName
  readonly outcome: 'success' | 'failure'
  readonly clientId?: string
  readonly subject?: string
  readonly grantType?: string
  /** The reason, in more detail than the response. */
  readonly reason?: Reason
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
  /** The sign-in that the event belongs to, across requests: see `flowOf`. */
  readonly flow?: string
  readonly grantId?: string
  /**
   * The checks of a refused request in order: those that passed, the one that failed, and those that were not reached.
   */
  readonly checks?: readonly CheckResult[]
}

/** An event with its context, as a sink receives it. */
export type RecordedEvent = Event & {
  readonly time: Date
  readonly context: RequestContext
  /** The time since the request began, in milliseconds; `null` if not measured. */
  readonly elapsedMs: number | null
  /** The request of a failed event. Its answer is added after the event was recorded. */
  readonly request?: SentRequest
}

export type EventSink = { readonly record: (event: RecordedEvent) => void | Promise<void> }

export type Events = {
  /** Records an event. Never throws and never waits: a failing sink must not fail a request. */
  readonly record: (event: Event, context: RequestContext) => void
}

export type StoredEvent = {
  /** An ID that grows with time: `<milliseconds, base 36>-<random>`. */
  readonly id: string
  readonly time: Date
  readonly name: Event['name']
  readonly outcome: Event['outcome']
  readonly clientId: string | null
  readonly subject: string | null
  readonly grantType: string | null
  readonly reason: string | null
  readonly requestId: string
  /** The sign-in that the event belongs to, across requests. */
  readonly flow: string | null
  readonly grantId: string | null
  readonly address: string | null
  readonly userAgent: string | null
  readonly details: NonNullable<Event['details']>
  /** The checks of a refused request, in order. */
  readonly checks: readonly CheckResult[] | null
}

export type EventFilter = {
  readonly name?: Event['name']
  /** One of these names. */
  readonly names?: readonly Event['name'][]
  readonly outcome?: Event['outcome']
  readonly clientId?: string
  readonly subject?: string
  readonly reason?: string
  readonly requestId?: string
  /** The IP address, as it was recorded. */
  readonly address?: string
  readonly from?: Date
  readonly until?: Date
  /** The ID of a client whose successes are left out; its failures are listed. */
  readonly withoutSuccessesOf?: string
}

export type EventLog = {
  /** Stores all events or none, and adds to the aggregates that charts read. */
  readonly write: (events: readonly StoredEvent[], additions?: Additions) => Promise<void>
  /** Lists events, newest first; `before` is the ID of the last one of the previous page. */
  readonly list: (
    filter: EventFilter,
    before: string | null,
    limit: number,
  ) => Promise<readonly StoredEvent[]>
  /**
   * Lists events, oldest first; `after` is the ID of the last one of the previous page, or of the newest known event.
   */
  readonly newer: (
    filter: EventFilter,
    after: string | null,
    limit: number,
  ) => Promise<readonly StoredEvent[]>
  /** Lists events with one of these marks, oldest first: the trace of a sign-in. */
  readonly related: (
    marks: {
      readonly requestId?: string
      readonly flows?: readonly string[]
      readonly grantIds?: readonly string[]
    },
    limit: number,
  ) => Promise<readonly StoredEvent[]>
}
