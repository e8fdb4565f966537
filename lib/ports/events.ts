/** Events for the log, the dashboard, and sinks that an operator adds. */
import type { CheckResult } from '#lib/errors/checks.ts'
import type { Reason } from '#lib/errors/reasons.ts'
import type { RequestContext, SentRequest } from '#lib/protocol/request-context.ts'
import type { Additions } from './aggregates.ts'
import type { EventName } from './event-names.ts'

/** Never contains a token, code, password or secret. */
export type Event = {
  readonly name: EventName
  readonly outcome: 'success' | 'failure'
  readonly clientId?: string
  readonly subject?: string
  readonly grantType?: string
  /** The reason, in more detail than the response. */
  readonly reason?: Reason
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
  /** Names the sign-in that it belongs to, across requests: see `flowOf`. */
  readonly flow?: string
  readonly grantId?: string
  /** For a refusal: each check in order, up to the one that failed and those that were not reached. */
  readonly checks?: readonly CheckResult[]
}

/** An event with its context, as a sink receives it. */
export type RecordedEvent = Event & {
  readonly time: Date
  readonly context: RequestContext
  /** Milliseconds since the request began; `null` if not measured. */
  readonly elapsedMs: number | null
  /** Of a refusal: what was sent; the answer follows a moment later. */
  readonly request?: SentRequest
}

export type EventSink = { readonly record: (event: RecordedEvent) => void | Promise<void> }

export type Events = {
  /** Never throws and never waits: a failing sink must not fail a request. */
  readonly record: (event: Event, context: RequestContext) => void
}

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
  readonly requestId: string
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
  readonly requestId?: string
  /** The IP address, as it was recorded. */
  readonly address?: string
  readonly from?: Date
  readonly until?: Date
  /** A client whose successes are left out; its failures are not. */
  readonly withoutSuccessesOf?: string
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
  /** Oldest first; `after` is the id of the last one of the page before, or of the newest one that is known. */
  readonly newer: (
    filter: EventFilter,
    after: string | null,
    limit: number,
  ) => Promise<readonly StoredEvent[]>
  /** Everything with one of these marks, oldest first: the trace of a sign-in. */
  readonly related: (
    marks: {
      readonly requestId?: string
      readonly flows?: readonly string[]
      readonly grantIds?: readonly string[]
    },
    limit: number,
  ) => Promise<readonly StoredEvent[]>
}
