/** One request on its way through an endpoint. */
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

/** What every endpoint needs of the services, whatever else it uses. */
export type EndpointServices = {
  readonly config: {
    readonly issuer: string
    readonly siteName: string
    readonly isLoopback: boolean
    /** Where users get help; none unless given. */
    readonly help?: string | null
    /** All of them unless given. */
    readonly enabledEndpoints?: ReadonlySet<EndpointName>
  }
  readonly log: RequestLog
  readonly allowsOrigin: (origin: string) => Promise<boolean>
  /** What answers before the services are there has none. */
  readonly events?: Events
  /** Only if an extension has hooks or custom grants, which log their failures with the ID of the request. */
  readonly withinRequest?: (<T>(requestId: string, work: () => Promise<T>) => Promise<T>) | undefined
}

export type Exchange<S extends EndpointServices = EndpointServices> = {
  readonly request: Request
  readonly services: S
  readonly context: RequestContext
  /** Of this origin; one that is malformed, or was sent twice, is absent. */
  readonly cookies: Cookies
  /** The dynamic segments of the path. */
  readonly segments: Readonly<Record<string, string>>
}

/** Writes a refusal in the form this endpoint's callers expect: JSON, a challenge, or a page. */
export type WriteRefusal = (refused: HttpRefusal, exchange: Exchange) => Reply
