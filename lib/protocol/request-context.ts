import type { Digest } from './ids.ts'

/** The sender and the ID of a request, for events and limits. */
export type RequestContext = {
  /** A short, readable ID for the log, the `X-Reference-Id` header and error pages. */
  readonly requestId: string
  /** The network address of the sender; `null` when the host cannot know it. */
  readonly address: string | null
  /** At most 256 characters. */
  readonly userAgent: string | null
  /** The ID of its trace, if there is one. Only endpoints set it. */
  readonly traceId?: string
  /** The time when the request began, from `performance.now()`. Only endpoints set it. */
  readonly startedAt?: number
  /** Describes the request, for the events of refusals. Only endpoints set it. */
  readonly describe?: () => SentRequest
  /** The last event, which the log writes in the line of the request. Only endpoints set it. */
  readonly lastEntry?: LastEntry
}

/**
 * The latest event of a request (`waiting`), which is logged when the next one is recorded or the request is answered.
 */
export type LastEntry = { waiting: LogEntry | null; isAnswered: boolean }

/** An answered request in the log: the pattern of its path, but never its query, body or headers. */
export type RequestLine = {
  readonly requestId: string
  readonly method: string
  readonly pattern: string
  readonly status: number
  readonly durationMs: number
  readonly address: string | null
  readonly reason?: string | undefined
  readonly traceId?: string | undefined
}

export type LogEntry = {
  readonly level: 'info' | 'warn'
  readonly message: string
  readonly fields: LogFields
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** A request and its answer in a form that events may store: short, and without secrets. */
export type SentRequest = {
  readonly method: string
  /** The path, with the names of dynamic segments. */
  readonly endpoint: string
  /** The known parameters by name; `null` for a value that may be a secret. */
  readonly parameters: Readonly<Record<string, string | null>>
  /** The number of parameters with unknown names; 0 outside `/connect`. */
  readonly others: number
  /** The scheme of the Authorization header. */
  readonly authorization: 'Basic' | 'Bearer' | null
  /** The answer; `null` until the request is answered, which is after its events are recorded. */
  answer: SentAnswer | null
}

export type SentAnswer = {
  readonly status: number
  readonly error: string | null
  readonly description: string | null
}

/**
 * Returns the ID that the events of one sign-in share: the beginning of the key of its pending request, which consists
 * of the time and the digest. It is not a credential: a pending request is found only by its handle.
 */
export function flowOf(pending: Digest): string {
  return pending.slice(0, 16)
}

/**
 * Returns the prefix of the IDs of all events of that time; all earlier IDs sort before it. An ID is `<milliseconds,
 * base 36>-<random>`, so that IDs sort by time, byte by byte. Valid until the year 2059.
 */
export function eventIdMark(time: Date): string {
  return Math.max(0, time.getTime()).toString(36).padStart(8, '0')
}
