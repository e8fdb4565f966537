/**
 * Functions with which an operator replaces or extends parts of the server, loaded from the file that
 * `LATCHKEY_EXTENSIONS` names.
 */
import type { Claims, JsonValue } from '#lib/protocol/claims.ts'
import type { ScopeName, SubjectId } from '#lib/protocol/ids.ts'
import type { Client } from '#lib/protocol/registration/client.ts'
import type { RequestContext } from '#lib/protocol/request-context.ts'
import type { Prompt, ResponseType } from '#lib/protocol/vocabulary.ts'
import type { AcrValues, Parameters } from '#lib/protocol/wire/parameters.ts'
import type { EventSink } from './events.ts'
import type { LegacyVerifyHook } from './legacy-users.ts'
import type { Session } from './sessions.ts'
import type { SignInHints, UserService, Users } from './users.ts'

/** The result of a custom grant. */
export type CustomGrantOutcome =
  | {
      readonly kind: 'granted'
      /** The user; without a subject the token represents only the client. */
      readonly subject?: SubjectId | null
      readonly amr?: readonly string[]
      readonly claims?: Claims
    }
  | {
      readonly kind: 'refused'
      /** The `error_description`; it must have at most 200 characters of RFC 6749 5.2. */
      readonly description: string | null
      /** The error code; `invalid_grant` by default. */
      readonly error?: TokenErrorCode
    }

/**
 * The `error` that an extension sends: a standard code, or a different one of up to 100 characters of RFC 6749 5.2.
 * `invalid_client` and `server_error` describe facts that only the server can know; the default is sent instead of
 * them.
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

/** The `error` of the authorization endpoint (RFC 6749 4.1.2.1, OpenID Connect Core 3.1.2.6). */
export type AuthorizeErrorCode =
  | 'invalid_request'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'access_denied'
  | 'login_required'
  | 'interaction_required'
  | 'unmet_authentication_requirements'
  | OwnErrorCode

/** Any text; editors suggest the standard codes. */
type OwnErrorCode = string & Readonly<Record<never, never>>

/** One custom `grant_type`. Clients may use it only when their `grant_types` names it. */
export type CustomGrant = {
  readonly grantType: string
  readonly validate: (request: {
    /** All parameters of the token request, including those of client authentication. */
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

/** The result of a validator. */
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
  /** The signed-in user; `null`: no user is signed in. */
  readonly subject: SubjectId | null
}

/** A token request that passed the checks of the server. Its code or refresh token is not yet used. */
export type TokenRequestToValidate = {
  readonly client: Client
  readonly grantType: string
  readonly scopes: readonly ScopeName[]
  /** The user; `null`: the token represents only the client. */
  readonly subject: SubjectId | null
  /**
   * The parameters without secrets and personal data. Parameters that the server does not know are included, except
   * those of a custom grant, which may be secrets.
   */
  readonly parameters: Readonly<Record<string, string>>
}

export type TokenResponseContext = Omit<TokenRequestToValidate, 'parameters'>

export type RedirectUriToValidate = {
  readonly client: Client
  /** The redirect URI, which is registered for the client exactly, or as a loopback address with another port. */
  readonly redirectUri: string
  readonly use: 'sign_in' | 'sign_out'
}

/** The request for which a hook is called. */
export type HookRequest = Pick<RequestContext, 'requestId' | 'address' | 'userAgent'>

/** An authorization request that needs a sign-in. */
export type PreAuthenticateRequest = SignInHints & {
  readonly client: Client
  readonly scopes: readonly ScopeName[]
  readonly loginHint: string | null
  /**
   * Whether the client requires a new sign-in (`prompt=login`) or one of a certain age (`max_age`): a hook cannot
   * satisfy that.
   */
  readonly mustAuthenticate: boolean
  /**
   * The headers in lower case, without cookies and credentials. A browser can send any header: a header proves
   * something only if your proxy removes it from browsers' requests.
   */
  readonly headers: Readonly<Record<string, string>>
  /** The browser's cookies, without those of this server. */
  readonly cookies: Readonly<Record<string, string>>
  /** The path of the page to which `preAuthenticate` sent this browser, which has now returned; `null`: not sent yet. */
  readonly returnedFrom: string | null
  readonly request: HookRequest
}

export type PreAuthentication =
  | { readonly kind: 'continue' }
  /**
   * Signs the user in like a password of this server. Ignored if the request does not allow local sign-in or
   * `mustAuthenticate` is true.
   */
  | {
      readonly kind: 'signed_in'
      readonly subject: SubjectId
      readonly name: string
      /** The authentication methods (RFC 8176). */
      readonly amr: readonly string[]
      readonly acr?: string | null
    }
  /**
   * The user, who need not be known yet, must first visit `path` on this origin, such as your own sign-in or
   * registration, then return to `/login/return`. The hook is then called again.
   */
  | { readonly kind: 'partial'; readonly path: string }
  /** The request ends with a page. `message` is shown to the user. */
  | { readonly kind: 'refused'; readonly message: string | null }

/** A sign-in that has passed all other steps. */
export type PostAuthenticateRequest = SignInHints & {
  readonly subject: SubjectId
  readonly name: string
  /** `latchkey`, or the scheme of the identity provider. */
  readonly idp: string
  readonly amr: readonly string[]
  readonly acr: string | null
  /** Claims that the identity provider sent with this sign-in; `null` for other sign-ins. */
  readonly providerClaims: Claims | null
  /**
   * The path of the page to which `postAuthenticate` redirected this user, who has now returned; `null`: not redirected yet.
   * The return does not prove what the user did there.
   */
  readonly returnedFrom: string | null
  /** The kind of sign-in. With `password_grant` there is no browser. */
  readonly via: 'browser' | 'password_grant'
  readonly request: HookRequest
}

export type PostAuthentication =
  /** Accepts the sign-in. `claims` are added to its tokens and to userinfo; reserved names are dropped. */
  | { readonly kind: 'accepted'; readonly claims?: Claims }
  /** The user must first visit `path` on this origin, then return to `/login/return`. The hook is then called again. */
  | { readonly kind: 'partial'; readonly path: string }
  /** Refuses the sign-in. `message` is shown to the user. */
  | { readonly kind: 'refused'; readonly message: string | null }

/** A session that a user has ended by signing out. */
export type SignOutNotice = Pick<Session, 'subject' | 'sessionId' | 'idp'> & { readonly request: HookRequest }

/**
 * Functions that the server calls at fixed points. Each receives a frozen object without secrets and must answer within
 * ten seconds. An exception, a late answer and a malformed one all fail the request with `server_error`, except for
 * `signOut`.
 */
export type Hooks = {
  /**
   * Called once for each authorization request that needs a sign-in, and again whenever the user returns from a page of
   * the hook.
   */
  readonly preAuthenticate?: (request: PreAuthenticateRequest) => Promise<PreAuthentication>
  /**
   * Called for every sign-in of a user after all other steps, and again when the user returns from a page of the hook.
   */
  readonly postAuthenticate?: (request: PostAuthenticateRequest) => Promise<PostAuthentication>
  /** Called after a sign-out. A failure is logged, and the user stays signed out. */
  readonly signOut?: (request: SignOutNotice) => Promise<void>
  /** Called only for registered redirect URIs, so that it can only be stricter than the server. `false` refuses. */
  readonly validateRedirectUri?: (request: RedirectUriToValidate) => Promise<boolean>
  /** Called for each authorization request, and again each time it continues. */
  readonly validateAuthorizeRequest?: (
    request: AuthorizeRequestToValidate,
  ) => Promise<Validation<AuthorizeErrorCode>>
  readonly validateTokenRequest?: (request: TokenRequestToValidate) => Promise<Validation<TokenErrorCode>>
  /** Returns additional members of the token response. A standard member fails the request. */
  readonly tokenResponse?: (request: TokenResponseContext) => Promise<Readonly<Record<string, JsonValue>>>
}

/** An additional field of the sign-in form, below user name and password. */
export type SignInField = {
  /** The key of the value in `fields`: a small letter, then letters, digits and `_`. */
  readonly name: string
  /** The label that users read; in several languages by their tag, with `en` for all others. */
  readonly label: string | ({ readonly en: string } & Readonly<Record<string, string>>)
  /**
   * The keyboard and control that a browser shows; `number` accepts only digits. The value of a `password` is passed
   * only to `authenticate`, and is not stored.
   */
  readonly type?: 'text' | 'email' | 'tel' | 'number' | 'password'
  /** Whether an attempt without a value is refused before the password is checked. */
  readonly required?: boolean
}

/** The default export of an extensions file. */
export type Extensions = Hooks & {
  readonly signInFields?: readonly SignInField[]
  readonly userService?: (users: Users, standard: UserService) => UserService
  /**
   * Called by the standard user service at a sign-in with a name that its store does not have, or has without a password. The
   * user is then stored with this password, and the function is no longer called for the name.
   */
  readonly legacyVerify?: LegacyVerifyHook
  readonly customGrants?: readonly CustomGrant[]
  readonly tokenClaims?: readonly TokenClaims[]
  readonly eventSinks?: readonly EventSink[]
}
