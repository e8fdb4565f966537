/** Every error code with its texts: on the wire, on a page, and in docs/errors.md. */
import { responseTypeNames } from '#lib/protocol/vocabulary.ts'

/** The texts and the status of a code. */
export type CatalogRow = {
  /** The status of a JSON response or page of this server. A redirect to the client does not contain it. */
  readonly status: number
  /** The status of a JSON response, if RFC 6749 5.2 requires a different one. */
  readonly jsonStatus?: number
  /** The code of a JSON response, if RFC 6749 5.2 does not have this one. */
  readonly jsonCode?: 'invalid_request' | 'invalid_client' | 'temporarily_unavailable'
  /** The `error_description` for reasons without a separate text. */
  readonly description: string
  /**
   * The key of the text for users in the `errors` messages. A code without it means a request that the client must
   * correct.
   */
  readonly pageText?: string
  /** The paragraph of docs/errors.md and of the help page. It can contain code in backticks, and no other Markdown. */
  readonly explanation: string
}

/** Errors that are sent to the client: RFC 6749 4.1.2.1 and 5.2, OpenID Connect Core 3.1.2.6, RFC 6750 3.1. */
const clientErrors = {
  invalid_request: {
    status: 400,
    description: 'The request is malformed.',
    explanation:
      'A parameter is missing, repeated, too long or contradictory; `error_description` names it. The ' +
      'authorization endpoint returns this error to the redirect URI (without `state` if `state` is ' +
      'repeated or cannot be decoded), or shows a page if `client_id` or `redirect_uri` is invalid. `code_challenge_missing`: the ' +
      "client must use PKCE; send `code_challenge` with `code_challenge_method=S256`, or relax the client's " +
      '`pkce` setting. `response_mode_not_allowed`: tokens are never returned in a query. `token_in_query`: ' +
      'send the token as `Authorization: Bearer`.',
  },
  unauthorized_client: {
    status: 400,
    description: 'The client may not use this grant or response type.',
    explanation:
      'The client is not allowed to do this. `grant_type_not_allowed`, `response_type_not_allowed`: add it ' +
      "to the client's `grant_types` or `response_types`. `public_client`: this requires a secret. " +
      '`local_login_disabled`: the password grant requires `enable_local_login`.',
  },
  access_denied: {
    status: 403,
    jsonStatus: 400,
    description: 'The user denied the request or is not permitted.',
    pageText: 'accessDenied',
    explanation:
      'The user denied the request or canceled the sign-in, or none of the identity providers that the ' +
      'client allows is available. This is not a failure: offer to try again.',
  },
  unsupported_response_type: {
    status: 400,
    description: 'The response type is not supported.',
    explanation: `\`response_type\` is not one of ${responseTypeNames.map(name => `\`${name}\``).join(', ')}.`,
  },
  invalid_scope: {
    status: 400,
    description: 'A requested scope is unknown or not allowed.',
    explanation:
      '`scope_unknown`: the scope does not exist; define it under `scopes`. `scope_not_allowed`: add it to ' +
      "the client's `scope`. `scope_missing`: request at least one scope. `identity_scope`, " +
      '`offline_scope`: a machine client acts for itself, so it has no user information to request and ' +
      'needs no refresh token.',
  },
  server_error: {
    status: 500,
    description: 'Internal server error.',
    pageText: 'unexpected',
    explanation: 'Internal server error. The log contains the stack trace with the request ID.',
  },
  temporarily_unavailable: {
    status: 503,
    description: 'The service is busy or its database is unavailable. Try again shortly.',
    pageText: 'unavailable',
    explanation:
      '503: the database is unavailable (`database_…`), or too many passwords are being checked ' +
      '(`password_queue_full`, `secret_queue_full`). 429: too many failed attempts (`client_rate_limited`, ' +
      '`sign_in_rate_limited`). Retry after the time in `Retry-After`.',
  },
  invalid_client: {
    status: 401,
    description: 'Client authentication failed.',
    explanation:
      '`secret_empty`: a public client sends `client_id` in the body, and no `Authorization` header. ' +
      '`no_credentials`: the request contains neither `Authorization: Basic` nor `client_id` and ' +
      '`client_secret`. `wrong_credentials`: the client is unknown or disabled, the secret is wrong or ' +
      'expired, or the authentication method is not the registered `token_endpoint_auth_method`; the ' +
      'response does not say which. `unreadable_header`: in Basic authentication, both parts are ' +
      'form-encoded first (RFC 6749 2.3.1), which matters for characters such as `%` and `+`.',
  },
  invalid_grant: {
    status: 400,
    description: 'The grant is invalid, expired or revoked.',
    explanation:
      'The code, refresh token or password is not valid. `code_expired`: codes are valid for one minute by ' +
      'default; redeem them immediately after the redirect. `code_replayed`: a code was redeemed twice, and ' +
      'everything issued for it was revoked; look for a double submit. `code_of_another_client`, ' +
      '`refresh_token_of_another_client`: two clients are mixed up. `refresh_token_replayed`: an old ' +
      'refresh token was used after its replacement; the grant was revoked because the token may be stolen. ' +
      "Store the new refresh token of every response. `grant_revoked`: the user removed the app's access, " +
      'their password changed, or an administrator revoked the grant; without `offline_access` also when ' +
      'the user signed out. `grant_expired`: the maximum lifetime has passed. `subject_inactive`: the ' +
      'account is locked or deleted. `password_change_required`: the password is temporary; the user must sign in ' +
      'with a browser and replace it.',
  },
  unsupported_grant_type: {
    status: 400,
    description: 'The grant type is not supported.',
    explanation: 'The `grant_type` does not exist, neither built in nor in an extension.',
  },
  login_required: {
    status: 400,
    description: 'User sign-in is required.',
    explanation:
      '`prompt=none`, but no user is signed in, the sign-in is older than `max_age`, or `acr_values` or the client ' +
      'require another factor; `error_description` says which. Repeat the request without `prompt=none`.',
  },
  unmet_authentication_requirements: {
    status: 403,
    description: 'The required level of authentication cannot be reached.',
    explanation:
      'The client’s `require_acr` or its `acr_values` require a passkey, but browsers have none at this issuer (an IP ' +
      'address, or no https); or the user has no factor left to prove (OpenID Connect Unmet Authentication Requirements ' +
      '1.0). Request a lower level, lower `require_acr`, or give the issuer a domain with https. Users who only lack a ' +
      'factor do not get this error: they set it up in the middle of the sign-in.',
  },
  consent_required: {
    status: 400,
    description: 'User consent is required.',
    explanation:
      '`prompt=none`, but the user has not allowed these scopes. Repeat the request without `prompt=none`.',
  },
  interaction_required: {
    status: 400,
    description: 'User interaction is required.',
    explanation:
      '`prompt=none`, but the user must complete another page. Repeat the request without `prompt=none`.',
  },
  account_selection_required: {
    status: 400,
    description: 'User account selection is required.',
    explanation:
      '`prompt=none`, but `login_hint` names a different user from the signed-in one. Repeat the request ' +
      'without `prompt=none`.',
  },
  request_not_supported: {
    status: 400,
    description: 'Request objects are not supported.',
    explanation: 'The parameter `request` is not supported; send plain parameters.',
  },
  request_uri_not_supported: {
    status: 400,
    description: 'The request_uri parameter is not supported.',
    explanation: 'The parameter `request_uri` is not supported; send plain parameters.',
  },
  registration_not_supported: {
    status: 400,
    description: 'The registration parameter is not supported.',
    explanation:
      'The parameter `registration` is not supported; register the client in the configuration file or the ' +
      'dashboard.',
  },
  invalid_token: {
    status: 401,
    description: 'The access token is missing, malformed, expired or revoked.',
    explanation:
      'The access token is malformed, expired or revoked, its user is locked, or its client disabled. Request a new ' +
      'one. If only an API refuses it, with a text such as *JOSE header typ (type) at+jwt not allowed* or *the ' +
      'given typ value needs to be one of [JWT]*, as Spring Security does by default, set the ' +
      '`access_token_format` of the client, or of the scope of the API, to `rfc9068-jwt`.',
  },
  insufficient_scope: {
    status: 403,
    description: 'The access token lacks the scope this needs.',
    explanation:
      'Userinfo requires `openid`; `accesstokenvalidation` requires the scope in `expectedScope`. Request ' +
      'it in the authorization request.',
  },
} as const satisfies Record<string, CatalogRow>

/** Errors for the user, with codes that RFC 6749 and OpenID Connect do not have. */
const userErrors = {
  unknown_client: {
    status: 400,
    jsonCode: 'invalid_client',
    description: 'The client_id is unknown.',
    pageText: 'unknownClient',
    explanation:
      'No client has this `client_id`, or the client is disabled. Compare it with the configuration.',
  },
  redirect_uri_mismatch: {
    status: 400,
    description: 'The redirect_uri is not registered for this client.',
    pageText: 'redirectMismatch',
    explanation:
      '`redirect_uri` must equal a registered one character by character: scheme, port, path and trailing ' +
      'slash. Only the port of `127.0.0.1` or `[::1]` of a native client can differ.',
  },
  cookie_missing: {
    status: 400,
    description: 'The browser sent no cookie.',
    pageText: 'noCookie',
    explanation:
      'The browser continued a pending request without a cookie: it blocks cookies, a proxy removes ' +
      '`Set-Cookie`, or the address was opened in another browser.',
  },
  request_expired: {
    status: 400,
    description: 'This page expired.',
    pageText: 'expired',
    explanation:
      'The page was open for more than an hour, or belongs to another browser. Start again in the app.',
  },
  request_finished: {
    status: 400,
    description: 'This request was already answered.',
    pageText: 'finished',
    explanation: 'The request was already completed, for example in another tab.',
  },
  cross_site_post: {
    status: 403,
    description: 'The form was sent from another site.',
    pageText: 'crossSite',
    explanation:
      "The form was sent from another site. Behind a proxy, `ISSUER` must be the address in the browser's " +
      'address bar. `127.0.0.1` and `localhost` are different addresses: open the one in `ISSUER`.',
  },
  provider_failed: {
    status: 502,
    description: 'The identity provider did not complete the sign-in.',
    pageText: 'providerFailed',
    explanation:
      'The identity provider returned an error, or a response that could not be verified. The reason in the ' +
      'log says which: `issuer_differs` and `id_token_missing` point to the configuration of the provider.',
  },
  too_many_requests: {
    status: 429,
    // RFC 6749 4.1.2.1 has `temporarily_unavailable`
    jsonCode: 'temporarily_unavailable',
    description: 'Too many attempts.',
    pageText: 'limited',
    explanation:
      'Too many failed attempts; `Retry-After` contains the time to wait, and `docs/security.md` lists the ' +
      'limits. `pending_request_limit`: one address started many more sign-ins in a minute than it ' +
      'completed. If this affects all users, the server is behind a proxy and `TRUST_PROXY` is not set.',
  },
} as const satisfies Record<string, CatalogRow>

/** Faults of the HTTP request itself. */
const httpErrors = {
  content_too_large: {
    status: 413,
    jsonCode: 'invalid_request',
    description: 'The request body is too large.',
    explanation:
      'The body is too long. An authorization or sign-out request by POST can have 28,672 characters, as in ' +
      "a query: send less, and store application state in the app's own session instead of in `state`.",
  },
  uri_too_long: {
    status: 414,
    jsonCode: 'invalid_request',
    description: 'The address is too long.',
    explanation:
      'The address has more than 32,768 characters, its path more than 4,096, or its query more than 28,672, ' +
      'or 8,192 at the validation endpoints, where a POST can have more.',
  },
  unsupported_media_type: {
    status: 415,
    jsonCode: 'invalid_request',
    description: 'Send application/x-www-form-urlencoded.',
    explanation: 'Send `application/x-www-form-urlencoded`, not JSON.',
  },
  method_not_allowed: {
    status: 405,
    jsonCode: 'invalid_request',
    description: 'This method is not allowed here.',
    explanation: '`Allow` lists the methods.',
  },
  method_unknown: {
    status: 501,
    description: 'This method is not supported.',
    explanation: 'The server does not implement this method.',
  },
  expectation_failed: {
    status: 417,
    description: 'Only Expect: 100-continue is supported.',
    explanation: 'Remove the `Expect` header.',
  },
  request_timeout: {
    status: 408,
    jsonCode: 'invalid_request',
    description: 'The request took too long to arrive.',
    explanation: 'The request was not received completely in time.',
  },
  headers_too_large: {
    status: 431,
    description: 'The address or the headers are too long.',
    pageText: 'headersTooLarge',
    explanation:
      'The request has more than 65,536 bytes of address and headers, more than 100 headers, more than 200 ' +
      'cookies or 16,384 characters of them, or another header of more than 8,190 characters.',
  },
  not_found: {
    status: 404,
    jsonCode: 'invalid_request',
    description: 'There is nothing at this address. /.well-known/openid-configuration lists the endpoints.',
    pageText: 'notFound',
    explanation:
      'There is nothing at this address. `/.well-known/openid-configuration` lists the endpoints. A request of a program ' +
      'gets JSON: one whose `Accept` prefers it, or a POST without `text/html` in it. ' +
      'The playground exists only with loopback issuers.',
  },
} as const satisfies Record<string, CatalogRow>

type CatalogSection = {
  readonly title: string
  readonly codes: Readonly<Record<string, CatalogRow>>
  readonly note?: string
}

/** The sections of docs/errors.md and of the help page. */
export const catalogSections: readonly CatalogSection[] = [
  { title: 'Errors for the client', codes: clientErrors },
  {
    title: 'Errors for the user',
    codes: userErrors,
    note: 'The server redirects only after it has verified that the redirect URI belongs to the client.',
  },
  { title: 'HTTP errors', codes: httpErrors },
]

export const catalog = { ...clientErrors, ...userErrors, ...httpErrors }

export type ErrorCode = keyof typeof catalog

export function catalogRow(code: ErrorCode): CatalogRow {
  return catalog[code]
}

type PageText =
  | {
      [C in ErrorCode]: (typeof catalog)[C] extends { readonly pageText: infer Text } ? Text : never
    }[ErrorCode]
  | 'badRequest'

export function pageTextOf(code: ErrorCode): PageText {
  const row = catalog[code]
  return 'pageText' in row ? row.pageText : 'badRequest'
}

/** Returns the status as a remark after the code; empty for 400, the most frequent one. */
export function statusRemark({ status, jsonStatus }: CatalogRow): string {
  if (status === 400) return ''
  return jsonStatus === undefined ? ` (${status})` : ` (${status}, at the token endpoint ${jsonStatus})`
}
