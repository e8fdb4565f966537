/** What happened, for the log, for sinks an operator adds, and later for the dashboard. */
import type { RequestContext } from '#lib/protocol/request-context.ts'

/** Never holds a token, code, password or secret. Names are snake_case, past tense. */
export type Event = {
  readonly name:
    | 'authorize_answered'
    | 'authorize_paused'
    | 'authorize_refused'
    | 'sign_in_succeeded'
    | 'sign_in_failed'
    | 'sign_in_limited'
    | 'sign_in_partial'
    | 'external_sign_in_started'
    | 'external_sign_in_failed'
    | 'consent_granted'
    | 'consent_denied'
    | 'consent_revoked'
    | 'signed_out'
    | 'code_issued'
    | 'code_redeemed'
    | 'code_replayed'
    | 'tokens_issued'
    | 'token_refused'
    | 'refresh_replayed'
    | 'refresh_reused'
    | 'client_authentication_failed'
    | 'client_authentication_limited'
    | 'token_revoked'
    | 'token_introspected'
    | 'token_validated'
    | 'token_rejected'
    | 'userinfo_answered'
    | 'userinfo_refused'
  readonly outcome: 'success' | 'failure'
  readonly clientId?: string
  readonly subject?: string
  readonly grantType?: string
  /** A tagged internal cause, richer than what the wire was told. */
  readonly reason?: string
  readonly details?: Readonly<Record<string, string | number | boolean | null>>
}

/** An event with its surroundings, as a sink receives it. */
export type RecordedEvent = Event & { readonly time: Date; readonly context: RequestContext }

export type EventSink = { readonly record: (event: RecordedEvent) => void | Promise<void> }

export type Events = {
  /** Never throws and never waits: a failing sink must not fail a request. */
  readonly record: (event: Event, context: RequestContext) => void
}
