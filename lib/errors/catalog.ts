/** Every error code: its status, its sentence on the wire, and the text that a user reads. */

type Row = {
  /** Status when the answer is ours: JSON or a page. A redirect to the client carries the code instead. */
  readonly status: number
  /** Sentence for the wire when the reason has none. */
  readonly description: string
}

export const catalog = {
  // RFC 6749 4.1.2.1 and 5.2
  invalid_request: { status: 400, description: 'The request is malformed.' },
  unauthorized_client: { status: 400, description: 'The client may not use this grant or response type.' },
  access_denied: { status: 403, description: 'The user denied the request or is not permitted.' },
  unsupported_response_type: { status: 400, description: 'The response type is not supported.' },
  invalid_scope: { status: 400, description: 'A requested scope is unknown or not allowed.' },
  server_error: { status: 500, description: 'Internal server error.' },
  temporarily_unavailable: {
    status: 503,
    description: 'The service is busy or its database is unavailable. Try again shortly.',
  },
  invalid_client: { status: 401, description: 'Client authentication failed.' },
  invalid_grant: { status: 400, description: 'The grant is invalid, expired or revoked.' },
  unsupported_grant_type: { status: 400, description: 'The grant type is not supported.' },
  // OpenID Connect Core 3.1.2.6
  login_required: { status: 400, description: 'User sign-in is required.' },
  consent_required: { status: 400, description: 'User consent is required.' },
  interaction_required: { status: 400, description: 'User interaction is required.' },
  account_selection_required: { status: 400, description: 'User account selection is required.' },
  request_not_supported: { status: 400, description: 'Request objects are not supported.' },
  request_uri_not_supported: { status: 400, description: 'The request_uri parameter is not supported.' },
  registration_not_supported: { status: 400, description: 'The registration parameter is not supported.' },
  // RFC 6750 3.1
  invalid_token: { status: 401, description: 'The access token is missing, malformed, expired or revoked.' },
  insufficient_scope: { status: 403, description: 'The access token lacks the scope this needs.' },
  // Shown as pages, never sent to a client
  unknown_client: { status: 400, description: 'The client_id is unknown.' },
  redirect_uri_mismatch: { status: 400, description: 'The redirect_uri is not registered for this client.' },
  request_expired: { status: 400, description: 'This page expired.' },
  cookie_missing: { status: 400, description: 'The browser sent no cookie.' },
  request_finished: { status: 400, description: 'This request was already answered.' },
  cross_site_post: { status: 403, description: 'The form was sent from another site.' },
  provider_failed: { status: 502, description: 'The identity provider did not complete the sign-in.' },
  too_many_requests: { status: 429, description: 'Too many attempts.' },
  content_too_large: { status: 413, description: 'The request body is too large.' },
  uri_too_long: { status: 414, description: 'The query is too long.' },
  unsupported_media_type: { status: 415, description: 'Send application/x-www-form-urlencoded.' },
  method_not_allowed: { status: 405, description: 'This method is not allowed here.' },
  method_unknown: { status: 501, description: 'This method is not supported.' },
  expectation_failed: { status: 417, description: 'Only Expect: 100-continue is supported.' },
  request_timeout: { status: 408, description: 'The request took too long to arrive.' },
  headers_too_large: { status: 431, description: 'The address or the headers are too long.' },
  not_found: { status: 404, description: 'There is nothing at this address.' },
} as const satisfies Record<string, Row>

export type ErrorCode = keyof typeof catalog

/** Keys into the `errors` messages: what a user sees. All other codes mean a request that the client must correct. */
const pageTexts = {
  access_denied: 'accessDenied',
  server_error: 'unexpected',
  temporarily_unavailable: 'unavailable',
  unknown_client: 'unknownClient',
  redirect_uri_mismatch: 'redirectMismatch',
  request_expired: 'expired',
  cookie_missing: 'noCookie',
  request_finished: 'finished',
  cross_site_post: 'crossSite',
  provider_failed: 'providerFailed',
  too_many_requests: 'limited',
  headers_too_large: 'headersTooLarge',
  not_found: 'notFound',
} as const satisfies Partial<Record<ErrorCode, string>>

type PageText = (typeof pageTexts)[keyof typeof pageTexts] | 'badRequest'

export function pageTextOf(code: ErrorCode): PageText {
  const texts: Partial<Record<ErrorCode, PageText>> = pageTexts
  return texts[code] ?? 'badRequest'
}
