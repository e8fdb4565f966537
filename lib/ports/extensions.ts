/** What an operator may replace or add, loaded from the file that `LATCHKEY_EXTENSIONS` names. */
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import type { ScopeName, SubjectId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { Prompt, ResponseType } from '#lib/protocol/vocabulary.ts'
import type { AcrValues, Parameters } from '#lib/protocol/wire/parameters.ts'
import type { EventSink } from './events.ts'
import type { UserService, Users } from './users.ts'

/** The result of a custom grant. Without a subject the token represents only the client. */
export type CustomGrantOutcome =
  | {
      readonly kind: 'granted'
      /** Without a subject the token represents only the client. */
      readonly subject?: SubjectId | null
      readonly amr?: readonly string[]
      readonly claims?: Claims
    }
  | {
      readonly kind: 'refused'
      /** `error_description`, if it can be one: at most 200 characters of RFC 6749 5.2. */
      readonly description: string | null
      /** The default is `invalid_grant`. */
      readonly error?: TokenErrorCode
    }

/**
 * The `error` that an extension sends: a standard code, or its own of up to 100 characters of RFC 6749 5.2. `invalid_client`
 * and `server_error` describe what only the server can know; the default is sent instead.
 */
export type TokenErrorCode =
  | 'invalid_request'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'access_denied'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | OwnErrorCode

/** The same for the response of the authorization endpoint (RFC 6749 4.1.2.1, OpenID Connect Core 3.1.2.6). */
export type AuthorizeErrorCode =
  | 'invalid_request'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'access_denied'
  | 'login_required'
  | 'interaction_required'
  | 'unmet_authentication_requirements'
  | OwnErrorCode

/** Any text, while editors still suggest the standard codes. */
type OwnErrorCode = string & Readonly<Record<never, never>>

/** One custom `grant_type`. Clients may use it only when their `grant_types` names it. */
export type CustomGrant = {
  readonly grantType: string
  readonly validate: (request: {
    /** All parameters of the token request, of client authentication included. */
    readonly parameters: Parameters
    readonly client: Client
    readonly scopes: readonly ScopeName[]
  }) => Promise<CustomGrantOutcome>
}

/** Adds claims to tokens. Reserved names are dropped. */
export type TokenClaims = {
  readonly claimsFor: (request: {
    readonly token: 'access_token' | 'id_token'
    readonly client: Client
    readonly subject: SubjectId | null
    readonly scopes: readonly ScopeName[]
  }) => Promise<Readonly<Record<string, JsonValue>>>
}

/** The verdict of a validator. */
export type Validation<Code extends string> =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly error: Code; readonly description: string | null }

/** An authorization request that passed every check of the server. */
export type AuthorizeRequestToValidate = {
  readonly client: Client
  readonly redirectUri: string
  readonly responseType: ResponseType
  readonly scopes: readonly ScopeName[]
  readonly prompts: readonly Prompt[]
  readonly maxAgeSeconds: number | null
  readonly loginHint: string | null
  readonly acrValues: AcrValues
  /** The signed-in user; `null`: none yet. */
  readonly subject: SubjectId | null
}

/** A token request that passed every check of the server. Nothing was stored, and its code or refresh token is not yet used. */
export type TokenRequestToValidate = {
  readonly client: Client
  readonly grantType: string
  readonly scopes: readonly ScopeName[]
  /** `null`: the token represents only the client. */
  readonly subject: SubjectId | null
  /**
   * Without secrets and personal data. Parameters that the server does not know are included, except those of a custom grant,
   * which may be secrets.
   */
  readonly parameters: Readonly<Record<string, string>>
}

export type TokenResponseContext = Omit<TokenRequestToValidate, 'parameters'>

export type RedirectUriToValidate = {
  readonly client: Client
  /** Registered for the client, exactly or as a loopback address with another port. */
  readonly redirectUri: string
  readonly use: 'sign_in' | 'sign_out'
}

/**
 * Functions that the server calls at fixed points. Each receives a frozen object without secrets and must answer within ten
 * seconds. An exception, a late answer and a malformed one all fail the request with `server_error`.
 */
export type Hooks = {
  /** Can only be stricter than the server: it is asked about registered redirect URIs. `false` refuses. */
  readonly validateRedirectUri?: (request: RedirectUriToValidate) => Promise<boolean>
  /** Called again at each step of a sign-in, because registrations and users may change. */
  readonly validateAuthorizeRequest?: (
    request: AuthorizeRequestToValidate,
  ) => Promise<Validation<AuthorizeErrorCode>>
  readonly validateTokenRequest?: (request: TokenRequestToValidate) => Promise<Validation<TokenErrorCode>>
  /** Additional members of the token response. One with the name of a standard member fails the request. */
  readonly tokenResponse?: (request: TokenResponseContext) => Promise<Readonly<Record<string, JsonValue>>>
}

/** The default export of an extensions file. */
export type Extensions = Hooks & {
  readonly userService?: (users: Users, standard: UserService) => UserService
  readonly customGrants?: readonly CustomGrant[]
  readonly tokenClaims?: readonly TokenClaims[]
  readonly eventSinks?: readonly EventSink[]
}
