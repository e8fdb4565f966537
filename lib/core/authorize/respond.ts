/** What an authorization request can lead to, and the responses to the client. */
import { catalog } from '#lib/errors/catalog.ts'
import type { OauthError } from '#lib/errors/oauth-error.ts'
import type { CheckResult } from '#lib/ports/events.ts'
import type { Ports } from '#lib/ports/ports.ts'
import type { GrantId, PendingHandle, ProviderScheme } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Decision, PausePage } from './decide.ts'
import type { ReturnAddress, ShownError } from './return-address.ts'
import type { ValidAuthorizeRequest } from './validate.ts'

/** What the checks and the decision say about a request, before anything is done. */
export type Evaluation =
  /** Client or redirect URI are not proven: shown on a page, never redirected. */
  | { readonly kind: 'show'; readonly error: ShownError }
  | {
      readonly kind: 'refuse'
      readonly address: ReturnAddress
      readonly error: OauthError
      /** For the events: what was checked, in order. */
      readonly checks?: readonly CheckResult[]
    }
  | {
      readonly kind: 'decided'
      readonly address: ReturnAddress
      readonly client: Client
      readonly request: ValidAuthorizeRequest
      readonly decision: Exclude<Decision, { kind: 'refuse' }>
    }

/** Switched over exhaustively in `lib/http/respond-authorize.ts`. */
export type AuthorizeOutcome =
  /** Sent to the client, in the address's response mode, `fields` in order. */
  | {
      readonly kind: 'respond'
      readonly to: ReturnAddress
      readonly fields: Fields
      /** What was granted, for the events; an error grants nothing. */
      readonly grantId?: GrantId
    }
  /** The user has something to do first, at one of our pages. */
  | { readonly kind: 'pause'; readonly at: PausePage; readonly pending: PendingHandle }
  /** The user is redirected to an identity provider without a page of this server. */
  | { readonly kind: 'forward'; readonly scheme: ProviderScheme; readonly pending: PendingHandle }
  /** A page, never a redirect: client or redirect URI are unproven, or the request was already answered or is too old. */
  | { readonly kind: 'show'; readonly error: ShownError }

type Fields = ReadonlyArray<readonly [string, string]>

type Response = Extract<AuthorizeOutcome, { kind: 'respond' }>

/** Adds `state`, byte for byte as it came, and `iss` (RFC 9207 2). */
export function respond(ports: Ports, to: ReturnAddress, fields: Fields): Response {
  const state: Fields = to.state === null ? [] : [['state', to.state]]
  return { kind: 'respond', to, fields: [...fields, ...state, ['iss', ports.settings.issuer]] }
}

/** The error response of RFC 6749 4.1.2.1. */
export function respondWithError(ports: Ports, to: ReturnAddress, error: OauthError): AuthorizeOutcome {
  const description = permitted(error.description ?? catalog[error.code].description)
  return respond(ports, to, [
    ['error', error.code],
    ['error_description', description],
  ])
}

// RFC 6749 4.1.2.1: %x20-21 / %x23-5B / %x5D-7E
function permitted(description: string): string {
  return description.replace(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '?')
}
