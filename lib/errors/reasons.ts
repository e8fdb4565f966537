/**
 * Every reason for which a request is refused, or a user is asked for something. A reason goes to events, logs and the
 * dashboard; the wire gets only its `error`. Its texts are in `reason-texts.ts`.
 */
import type { RequestCheck } from '#lib/protocol/wire/request-checks.ts'
import type { ErrorCode } from './catalog.ts'

type Row = {
  /** The code on the wire. Without one, the reason is recorded only in an event and never thrown. */
  readonly error?: ErrorCode
  /** The check of the request that fails with it, where it is always the same one. */
  readonly check?: RequestCheck
}

export const reasons = {
  // Requests that cannot be read
  parameter_repeated: { error: 'invalid_request' },
  parameter_too_long: { error: 'invalid_request' },
  too_many_parameters: { error: 'invalid_request' },
  nul_character: { error: 'invalid_request' },
  bad_encoding: { error: 'invalid_request' },
  charset: { error: 'unsupported_media_type' },
  content_type: { error: 'unsupported_media_type' },
  content_type_missing: { error: 'unsupported_media_type' },
  content_encoding: { error: 'unsupported_media_type' },
  not_json: { error: 'invalid_request' },
  repeated_key: { error: 'invalid_request' },
  body_incomplete: { error: 'invalid_request' },
  body_timeout: { error: 'request_timeout' },
  body_too_large: { error: 'content_too_large' },
  query_too_long: { error: 'uri_too_long' },
  authorize_post_too_long: { error: 'content_too_large' },
  callback_post_too_long: { error: 'content_too_large' },
  endsession_post_too_long: { error: 'content_too_large' },
  prefetch: { error: 'invalid_request' },
  token_in_query: { error: 'invalid_request' },
  token_in_query_disabled: { error: 'method_not_allowed' },
  method_not_allowed: { error: 'method_not_allowed' },
  not_found: { error: 'not_found' },
  sec_fetch_site: { error: 'cross_site_post' },
  origin_mismatch: { error: 'cross_site_post' },
  origin_missing: { error: 'cross_site_post' },

  // Connections and requests that no route sees
  malformed: { error: 'invalid_request' },
  bad_target: { error: 'invalid_request' },
  bad_host: { error: 'invalid_request' },
  bad_page_request: { error: 'invalid_request' },
  chunk_extensions: { error: 'content_too_large' },
  headers_too_long: { error: 'headers_too_large' },
  cookies_too_long: { error: 'headers_too_large' },
  expectation: { error: 'expectation_failed' },
  method_unknown: { error: 'method_unknown' },
  request_timeout: { error: 'request_timeout' },

  // Failures of the server
  unexpected: { error: 'server_error' },
  partial_path_leaves_this_origin: { error: 'server_error' },
  database_unreachable: { error: 'temporarily_unavailable' },
  database_timeout: { error: 'temporarily_unavailable' },
  database_connections_exhausted: { error: 'temporarily_unavailable' },
  database_write_conflict: { error: 'temporarily_unavailable' },
  password_queue_full: { error: 'temporarily_unavailable', check: 'credentials_correct' },
  secret_queue_full: { error: 'temporarily_unavailable', check: 'client_authenticated' },

  // The authorization endpoint
  client_id_missing: { error: 'invalid_request', check: 'client_known' },
  unknown_client: { error: 'unknown_client', check: 'client_known' },
  client_disabled: { error: 'unknown_client', check: 'client_enabled' },
  redirect_uri_not_sent: { error: 'invalid_request', check: 'redirect_uri_registered' },
  redirect_uri_mismatch: { error: 'redirect_uri_mismatch', check: 'redirect_uri_registered' },
  client_test_over: { error: 'request_expired' },
  cookie_missing: { error: 'cookie_missing' },
  request_expired: { error: 'request_expired' },
  request_finished: { error: 'request_finished' },
  choice_expired: { error: 'request_expired' },
  consent_expired: { error: 'request_expired' },
  pending_request_limit: { error: 'too_many_requests' },
  request_object: { error: 'request_not_supported', check: 'features_supported' },
  request_uri: { error: 'request_uri_not_supported', check: 'features_supported' },
  registration: { error: 'registration_not_supported', check: 'features_supported' },
  response_type_missing: { error: 'invalid_request', check: 'response_type_known' },
  response_type_unknown: { error: 'unsupported_response_type', check: 'response_type_known' },
  response_type_not_allowed: { error: 'unauthorized_client', check: 'response_type_allowed' },
  response_mode_not_allowed: { error: 'invalid_request', check: 'response_mode_allowed' },
  scope_missing: { error: 'invalid_request', check: 'scopes_allowed' },
  scope_empty: { error: 'invalid_scope', check: 'scopes_allowed' },
  scope_unknown: { error: 'invalid_scope', check: 'scopes_allowed' },
  scope_not_allowed: { error: 'invalid_scope', check: 'scopes_allowed' },
  openid_missing: { error: 'invalid_request', check: 'scopes_fit_response_type' },
  identity_scope_with_token: { error: 'invalid_scope', check: 'scopes_fit_response_type' },
  identity_scope_without_openid: { error: 'invalid_scope', check: 'scopes_fit_response_type' },
  resource_scope_with_id_token: { error: 'invalid_scope', check: 'scopes_fit_response_type' },
  code_challenge_missing: { error: 'invalid_request', check: 'code_challenge_valid' },
  code_challenge_malformed: { error: 'invalid_request', check: 'code_challenge_valid' },
  code_challenge_method_unknown: { error: 'invalid_request', check: 'code_challenge_valid' },
  code_challenge_method_not_s256: { error: 'invalid_request', check: 'code_challenge_valid' },
  nonce_missing: { error: 'invalid_request', check: 'nonce_present' },
  prompt_unknown: { error: 'invalid_request', check: 'prompt_valid' },
  prompt_none_with_others: { error: 'invalid_request', check: 'prompt_valid' },
  max_age_malformed: { error: 'invalid_request', check: 'max_age_valid' },

  // Why a user is asked; with prompt=none, why the request is refused (OpenID Connect Core 3.1.2.6)
  not_signed_in: { error: 'login_required', check: 'user_may_continue' },
  prompt_login: { error: 'login_required', check: 'user_may_continue' },
  requested_provider_differs: { error: 'login_required', check: 'user_may_continue' },
  provider_not_allowed_for_client: { error: 'interaction_required', check: 'user_may_continue' },
  local_login_not_allowed_for_client: { error: 'interaction_required', check: 'user_may_continue' },
  max_age_exceeded: { error: 'login_required', check: 'user_may_continue' },
  id_token_hint_differs: { error: 'login_required', check: 'user_may_continue' },
  prompt_select_account: { error: 'account_selection_required', check: 'user_may_continue' },
  login_hint_differs: { error: 'account_selection_required', check: 'user_may_continue' },
  prompt_consent: { error: 'consent_required', check: 'user_may_continue' },
  consent_needed: { error: 'consent_required', check: 'user_may_continue' },
  no_sign_in_method: { error: 'access_denied', check: 'user_may_continue' },
  consent_denied: { error: 'access_denied', check: 'user_may_continue' },
  cancelled: { error: 'access_denied' },

  // Signing in
  unknown_user: {},
  wrong_password: {},
  account_disabled: {},
  account_changed: { error: 'invalid_grant', check: 'user_active' },
  no_password: {},
  user_service_refused: {},
  provider_not_allowed: {},
  external_state_unknown: {},
  sign_in_rate_limited: { error: 'too_many_requests', check: 'rate_limit_not_exceeded' },
  sign_in_refused: { error: 'invalid_grant', check: 'credentials_correct' },
  sign_in_partial: { error: 'invalid_grant', check: 'credentials_correct' },
  password_change_required: { error: 'invalid_grant', check: 'credentials_correct' },

  // Client authentication
  two_methods: { error: 'invalid_request', check: 'request_read' },
  two_clients: { error: 'invalid_request', check: 'request_read' },
  no_credentials: { error: 'invalid_client', check: 'client_authenticated' },
  unreadable_header: { error: 'invalid_client', check: 'client_authenticated' },
  credentials_too_long: { error: 'invalid_client', check: 'client_authenticated' },
  wrong_credentials: { error: 'invalid_client', check: 'client_authenticated' },
  secret_wrong: {},
  secret_missing: {},
  secrets_absent: {},
  secrets_expired: {},
  auth_method_differs: {},
  client_rate_limited: { error: 'too_many_requests', check: 'client_authenticated' },

  // The token endpoint
  grant_type_missing: { error: 'invalid_request', check: 'grant_type_known' },
  grant_type_unknown: { error: 'unsupported_grant_type', check: 'grant_type_known' },
  grant_type_not_allowed: { error: 'unauthorized_client', check: 'grant_type_allowed' },
  code_missing: { error: 'invalid_request', check: 'parameters_present' },
  redirect_uri_missing: { error: 'invalid_request', check: 'parameters_present' },
  refresh_token_missing: { error: 'invalid_request', check: 'parameters_present' },
  username_missing: { error: 'invalid_request', check: 'parameters_present' },
  password_missing: { error: 'invalid_request', check: 'parameters_present' },
  token_missing: { error: 'invalid_request' },
  public_client: { error: 'unauthorized_client', check: 'client_is_confidential' },
  local_login_disabled: { error: 'unauthorized_client', check: 'password_sign_in_allowed' },
  code_unknown: { error: 'invalid_grant', check: 'code_known' },
  code_of_another_client: { error: 'invalid_grant', check: 'code_known' },
  code_attempts_exceeded: { error: 'invalid_grant', check: 'code_attempts_not_exceeded' },
  redirect_uri_differs: { error: 'invalid_grant', check: 'code_redirect_uri_matches' },
  verifier_missing: { error: 'invalid_grant', check: 'code_verifier_correct' },
  verifier_unexpected: { error: 'invalid_grant', check: 'code_verifier_correct' },
  verifier_wrong: { error: 'invalid_grant', check: 'code_verifier_correct' },
  code_replayed: { error: 'invalid_grant', check: 'code_unused' },
  code_expired: { error: 'invalid_grant', check: 'code_not_expired' },
  refresh_token_malformed: { error: 'invalid_grant', check: 'refresh_token_known' },
  refresh_token_unknown: { error: 'invalid_grant', check: 'refresh_token_known' },
  refresh_token_of_another_client: { error: 'invalid_grant', check: 'refresh_token_known' },
  refresh_token_gone: { error: 'invalid_grant', check: 'refresh_token_unused' },
  refresh_token_reused: { error: 'invalid_grant', check: 'refresh_token_unused' },
  refresh_token_expired: { error: 'invalid_grant', check: 'refresh_token_not_expired' },
  refresh_retry_differs: { error: 'invalid_scope', check: 'scopes_still_allowed' },
  grant_revoked: { error: 'invalid_grant', check: 'grant_live' },
  grant_expired: { error: 'invalid_grant', check: 'grant_live' },
  grant_of_another_client: { error: 'invalid_grant', check: 'grant_live' },
  subject_inactive: { error: 'invalid_grant', check: 'user_active' },
  offline_no_longer_allowed: { error: 'invalid_grant', check: 'scopes_still_allowed' },
  no_scope_left: { error: 'invalid_grant', check: 'scopes_still_allowed' },
  scope_not_granted: { error: 'invalid_scope', check: 'scopes_still_allowed' },
  token_scope_missing: { error: 'invalid_scope', check: 'scopes_allowed' },
  identity_scope: { error: 'invalid_scope', check: 'scopes_fit_grant' },
  offline_scope: { error: 'invalid_scope', check: 'scopes_fit_grant' },
  no_subject: { error: 'invalid_scope', check: 'scopes_fit_grant' },
  custom_grant_refused: { error: 'invalid_grant', check: 'extension_accepted' },
  nothing_to_revoke: {},

  // Presented tokens
  invalid_request: { error: 'invalid_request' },
  no_token: {},
  invalid_token: { error: 'invalid_token' },
  insufficient_scope: { error: 'insufficient_scope' },
  too_many_requests: { error: 'too_many_requests' },

  // The dashboard, its API and the playground
  not_allowed: {},
  not_an_administrator: {},
  address_not_allowed: {},
  admin_not_allowed: { error: 'access_denied' },
  admin_session_missing: { error: 'access_denied' },
  admin_scope_missing: { error: 'insufficient_scope' },
  admin_target_unknown: { error: 'not_found' },
  use_case_unknown: { error: 'not_found' },
  invitation_unknown: {},
  api_invalid: {},
  api_not_found: {},
  api_method_not_allowed: {},
  api_stale_version: {},
  api_version_missing: {},
  playground_not_loopback: { error: 'not_found' },
  playground_without_client: { error: 'not_found' },

  // Identity providers. Names in capitals are the codes of Node and of the OAuth library
  provider_answered: { error: 'provider_failed' },
  token_endpoint_answered: { error: 'provider_failed' },
  provider_failed: { error: 'provider_failed' },
  auth_time_missing: { error: 'provider_failed' },
  auth_time_too_old: { error: 'provider_failed' },
  issuer_differs: { error: 'provider_failed' },
  id_token_missing: { error: 'provider_failed' },
  claims_malformed: { error: 'provider_failed' },
  provider_claims_too_large: { error: 'provider_failed' },
  timeout: { error: 'provider_failed' },
  redirected: { error: 'provider_failed' },
  content_type_not_json: { error: 'provider_failed' },
  status_without_content: { error: 'provider_failed' },
  content_encoded: { error: 'provider_failed' },
  provider_body_too_large: { error: 'provider_failed' },
  url_malformed: { error: 'provider_failed' },
  scheme_not_allowed: { error: 'provider_failed' },
  url_with_credentials: { error: 'provider_failed' },
  url_with_fragment: { error: 'provider_failed' },
  port_not_allowed: { error: 'provider_failed' },
  host_has_no_address: { error: 'provider_failed' },
  lookup_failed: { error: 'provider_failed' },
  provider_address_not_allowed: { error: 'provider_failed' },
  ENOTFOUND: { error: 'provider_failed' },
  EAI_AGAIN: { error: 'provider_failed' },
  ECONNREFUSED: { error: 'provider_failed' },
  ECONNRESET: { error: 'provider_failed' },
  ENETUNREACH: { error: 'provider_failed' },
  EHOSTUNREACH: { error: 'provider_failed' },
  CERT_HAS_EXPIRED: { error: 'provider_failed' },
  ERR_TLS_CERT_ALTNAME_INVALID: { error: 'provider_failed' },
  DEPTH_ZERO_SELF_SIGNED_CERT: { error: 'provider_failed' },
  SELF_SIGNED_CERT_IN_CHAIN: { error: 'provider_failed' },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { error: 'provider_failed' },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: { error: 'provider_failed' },
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: { error: 'provider_failed' },
  OAUTH_RESPONSE_IS_NOT_CONFORM: { error: 'provider_failed' },
  OAUTH_PARSE_ERROR: { error: 'provider_failed' },
  OAUTH_MISSING_SERVER_METADATA: { error: 'provider_failed' },
  OAUTH_INVALID_SERVER_METADATA: { error: 'provider_failed' },
  OAUTH_HTTP_REQUEST_FORBIDDEN: { error: 'provider_failed' },
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: { error: 'provider_failed' },
  OAUTH_INVALID_RESPONSE: { error: 'provider_failed' },
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: { error: 'provider_failed' },
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: { error: 'provider_failed' },
  OAUTH_KEY_SELECTION_FAILED: { error: 'provider_failed' },
  OAUTH_UNSUPPORTED_OPERATION: { error: 'provider_failed' },
} as const satisfies Record<string, Row>

export type Reason = keyof typeof reasons

/** The reasons that refuse a request: those with a code for the wire. */
export type ErrorReason = {
  [R in Reason]: (typeof reasons)[R] extends { readonly error: ErrorCode } ? R : never
}[Reason]

/** The reasons with this code. */
export type ReasonFor<Code extends ErrorCode> = {
  [R in ErrorReason]: (typeof reasons)[R]['error'] extends Code ? R : never
}[ErrorReason]

/** Reads a stored reason: `null` for one of another release. */
export function knownReason(text: string): Reason | null {
  return isReason(text) ? text : null
}

/** The check that fails with this reason, where it is always the same one. */
export function checkOf(reason: Reason): RequestCheck | null {
  const row: Row = reasons[reason]
  return row.check ?? null
}

/** Whether a request is refused with this reason, and not only an event recorded. */
export function isErrorReason(reason: Reason): reason is ErrorReason {
  return 'error' in reasons[reason]
}

/** Whether the text is one of the reasons with this code. */
export function isReasonFor<Code extends ErrorCode>(code: Code, text: string): text is ReasonFor<Code> {
  return isReason(text) && 'error' in reasons[text] && reasons[text].error === code
}

function isReason(text: string): text is Reason {
  return Object.hasOwn(reasons, text)
}
