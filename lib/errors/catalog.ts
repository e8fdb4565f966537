/** Every error code: its status, its sentence on the wire, and the key of the text that a user reads. */

type Row = {
  /** Status when the answer is ours: JSON or a page. A redirect to the client carries the code instead. */
  readonly status: number
  /** Sentence for the wire when the reason has none. */
  readonly description: string
  /** Key into the `errors` messages: what a user sees. */
  readonly text: string
}

export const catalog = {
  // RFC 6749 4.1.2.1 and 5.2
  invalid_request: { status: 400, description: 'The request is malformed.', text: 'badRequest' },
  unauthorized_client: {
    status: 400,
    description: 'The client may not use this grant or response type.',
    text: 'badRequest',
  },
  access_denied: {
    status: 403,
    description: 'The user denied the request or is not permitted.',
    text: 'accessDenied',
  },
  unsupported_response_type: {
    status: 400,
    description: 'The response type is not supported.',
    text: 'badRequest',
  },
  invalid_scope: {
    status: 400,
    description: 'A requested scope is unknown or not allowed.',
    text: 'badRequest',
  },
  server_error: { status: 500, description: 'Internal server error.', text: 'unexpected' },
  temporarily_unavailable: {
    status: 503,
    description: 'The service is busy or its database is unavailable. Try again shortly.',
    text: 'unavailable',
  },
  invalid_client: { status: 401, description: 'Client authentication failed.', text: 'badRequest' },
  invalid_grant: {
    status: 400,
    description: 'The grant is invalid, expired or revoked.',
    text: 'badRequest',
  },
  unsupported_grant_type: {
    status: 400,
    description: 'The grant type is not supported.',
    text: 'badRequest',
  },
  // OpenID Connect Core 3.1.2.6
  login_required: { status: 400, description: 'User sign-in is required.', text: 'badRequest' },
  consent_required: { status: 400, description: 'User consent is required.', text: 'badRequest' },
  interaction_required: { status: 400, description: 'User interaction is required.', text: 'badRequest' },
  account_selection_required: {
    status: 400,
    description: 'User account selection is required.',
    text: 'badRequest',
  },
  request_not_supported: {
    status: 400,
    description: 'Request objects are not supported.',
    text: 'badRequest',
  },
  request_uri_not_supported: {
    status: 400,
    description: 'The request_uri parameter is not supported.',
    text: 'badRequest',
  },
  registration_not_supported: {
    status: 400,
    description: 'The registration parameter is not supported.',
    text: 'badRequest',
  },
  // RFC 6750 3.1
  invalid_token: {
    status: 401,
    description: 'The access token is missing, malformed, expired or revoked.',
    text: 'badRequest',
  },
  insufficient_scope: {
    status: 403,
    description: 'The access token lacks the scope this needs.',
    text: 'badRequest',
  },
  // Shown as pages, never sent to a client
  unknown_client: { status: 400, description: 'The client_id is unknown.', text: 'unknownClient' },
  redirect_uri_mismatch: {
    status: 400,
    description: 'The redirect_uri is not registered for this client.',
    text: 'redirectMismatch',
  },
  request_expired: { status: 400, description: 'This page expired.', text: 'expired' },
  cookie_missing: { status: 400, description: 'The browser sent no cookie.', text: 'noCookie' },
  request_finished: { status: 400, description: 'This request was already answered.', text: 'finished' },
  cross_site_post: { status: 403, description: 'The form was sent from another site.', text: 'crossSite' },
  provider_failed: {
    status: 502,
    description: 'The identity provider did not complete the sign-in.',
    text: 'providerFailed',
  },
  too_many_requests: { status: 429, description: 'Too many attempts.', text: 'limited' },
  content_too_large: { status: 413, description: 'The request body is too large.', text: 'badRequest' },
  uri_too_long: { status: 414, description: 'The query is too long.', text: 'badRequest' },
  unsupported_media_type: {
    status: 415,
    description: 'Send application/x-www-form-urlencoded.',
    text: 'badRequest',
  },
  method_not_allowed: { status: 405, description: 'This method is not allowed here.', text: 'badRequest' },
  method_unknown: { status: 501, description: 'This method is not supported.', text: 'badRequest' },
  expectation_failed: {
    status: 417,
    description: 'Only Expect: 100-continue is supported.',
    text: 'badRequest',
  },
  request_timeout: { status: 408, description: 'The request took too long to arrive.', text: 'badRequest' },
  headers_too_large: {
    status: 431,
    description: 'The address or the headers are too long.',
    text: 'headersTooLarge',
  },
  not_found: { status: 404, description: 'There is nothing at this address.', text: 'notFound' },
} as const satisfies Record<string, Row>

export type ErrorCode = keyof typeof catalog
