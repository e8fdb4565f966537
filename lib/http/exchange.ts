/** The data of one request that an endpoint handles. */
import type { Events } from '#lib/ports/events.ts'
import type { LogEntry, RequestContext, RequestLine } from '#lib/protocol/request-context.ts'
import type { EndpointName } from '#lib/protocol/vocabulary.ts'
import type { Cookies } from './cookies.ts'
import type { HttpRefusal } from './http-refusal.ts'
import type { Reply } from './reply.ts'

/** The part of the log that endpoints write to. */
export type RequestLog = {
  readonly request: (line: RequestLine, event?: LogEntry | null) => void
  readonly failure: (error: unknown, fields: Readonly<Record<string, string>>) => void
}

/** The services that every endpoint needs. */
export type EndpointServices = {
  readonly config: {
    readonly issuer: string
    readonly siteName: string
    readonly isLoopback: boolean
    /** The address where users get help; `null` by default. */
    readonly help?: string | null
    /** The endpoints that are turned on; all by default. */
    readonly enabledEndpoints?: ReadonlySet<EndpointName>
  }
  readonly log: RequestLog
  readonly allowsOrigin: (origin: string) => Promise<boolean>
  /** Absent only in tests. */
  readonly events?: Events
  /** Absent if there are no traces. */
  readonly tracing?: RequestTracing | undefined
  /** Set only if there are hooks or custom grants, whose failures are logged with the ID of the request. */
  readonly withinRequest?: (<T>(requestId: string, work: () => Promise<T>) => Promise<T>) | undefined
}

/** Begins the traces of requests. */
export type RequestTracing = {
  /** Begins the trace of a request; `null` if it is not sampled. `isFromProxy`: whether the caller has a trusted address. */
  readonly begin: (request: {
    readonly method: string
    readonly pattern: string
    readonly requestId: string
    readonly traceparent: string | null
    readonly isFromProxy: boolean
  }) => TracedRequest | null
}

export type TracedRequest = {
  readonly traceId: string
  /** Runs the work of the request, whose parts can then be traced. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
  readonly end: (status: number, reason: string | undefined) => void
}

export type Exchange<S extends EndpointServices = EndpointServices> = {
  readonly request: Request
  readonly services: S
  readonly context: RequestContext
  /** The cookies of this origin. Malformed handles and repeated cookies are left out. */
  readonly cookies: Cookies
  /** The dynamic segments of the path. */
  readonly segments: Readonly<Record<string, string>>
}

/** Writes a refusal in the form that this endpoint's callers expect: JSON, a challenge, or a page. */
export type WriteRefusal = (refused: HttpRefusal, exchange: Exchange) => Reply
