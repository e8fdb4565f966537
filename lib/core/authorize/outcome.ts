/** What an authorization request can lead to. Switched over exhaustively in `lib/http/respond-authorize.ts`. */
import type { ErrorCode } from '#lib/errors/catalog.ts'
import type { CheckResult } from '#lib/ports/events.ts'
import type { GrantId, PendingHandle, ProviderScheme } from '#lib/protocol/ids.ts'
import type { ReturnAddress } from './return-address.ts'

export type AuthorizeOutcome =
  /** Sent to the client, in the address's response mode, `fields` in order. */
  | {
      readonly kind: 'respond'
      readonly to: ReturnAddress
      readonly fields: ReadonlyArray<readonly [string, string]>
      /** What was granted, for the events; an error grants nothing. */
      readonly grantId?: GrantId
    }
  /** The person has something to do first, at one of our own pages. */
  | { readonly kind: 'pause'; readonly at: PausePage; readonly pending: PendingHandle }
  /** The person is sent on to an identity provider without seeing a page of ours. */
  | { readonly kind: 'forward'; readonly scheme: ProviderScheme; readonly pending: PendingHandle }
  /** A page of ours, never a redirect: client or redirect URI are unproven, or the request is spent. */
  | { readonly kind: 'show'; readonly error: ShownError }

export type PausePage = 'login' | 'providers' | 'select_account' | 'consent'

export type ShownError = {
  readonly code: ErrorCode
  /** For developers: the parameter and the rule. Holds no secret. */
  readonly description: string
  readonly clientName: string | null
  /** For the log: as it was sent, whether known or not. */
  readonly clientId?: string
  /** For a redirect URI that is not registered: what was sent, and what would have been right. */
  readonly mismatch?: { readonly sent: string; readonly registered: readonly string[] }
  /** For the events, where more is known than the person may be told. */
  readonly reason?: string
  /** For the events: what was checked, in order. */
  readonly checks?: readonly CheckResult[]
}
