/**
 * Every reason for refusing a request or asking a user, with its texts. A reason appears in events, logs and the
 * dashboard; responses contain only its `error` and the text of `wireTextOf`. A reason that would help to guess a secret
 * (`wrong_credentials` and the like) has no such text: the catalog's sentence is sent.
 */
import { capitalized } from '#lib/protocol/text/display-text.ts'
import { responseTypeNames } from '#lib/protocol/vocabulary.ts'
import type { ErrorCode } from './catalog.ts'
import type { RequestCheck } from './checks.ts'

/** The place in the dashboard where the remedy is applied. */
export type RemedyPlace = 'client' | 'secrets' | 'clients' | 'user'

export type ReasonRow = {
  /** The error code of the response. Without one, the reason is only recorded in an event and never thrown. */
  readonly error?: ErrorCode
  /** The check of the request that fails with this reason, if it is always the same one. */
  readonly check?: RequestCheck
  /** The end of a sentence, without capital letter and period: "A client was refused: <cause>." */
  readonly cause: string
  /**
   * The `error_description`: the parameter and the rule, but never the sent value. RFC 6749 5.2: ASCII without quotes
   * and backslash.
   */
  readonly wire?: string
  /** The cause is sent instead of `wire`. It must begin with the name of a parameter. */
  readonly isCauseSent?: true
  /**
   * The sentence for the whole event, if it contains more than the cause. `{client}`, `{user}`, `{sent}`, `{grant}` and
   * `{method}` are replaced.
   */
  readonly sentence?: string
  readonly remedy?: string
  readonly place?: RemedyPlace
  /**
   * Nothing failed, for example because a user went back in the browser: the event is not a failure, and charts do not
   * count it.
   */
  readonly isNeutral?: true
}

const encoding = 'The client must send each parameter once, encoded as a form.'
const sendForm =
  'The client must send the body as application/x-www-form-urlencoded; with fetch that is body: new URLSearchParams(…).'
const sendLess = 'The client must send less. Often state contains what belongs in the client’s own session.'
const signInAgain = 'No action needed: the client must send the user to sign in again.'
const startAgain = 'No action needed: the user returns to the client and starts again.'
const signInFirst = 'No action needed: the client must let the user sign in and consent.'
const updateLibrary = 'Correct it in the client, or update its OpenID Connect library.'
const sendPkce =
  'The client must send code_challenge with code_challenge_method=S256: update its OpenID Connect library.'
const turnPkceOn =
  'Turn PKCE with S256 on in the application; in many it is off at first. If it has no such setting, and has a secret, set the client’s pkce to s256-or-nonce (the application must send a nonce, and only its own check then detects a stolen code) or to optional (nothing detects a stolen code).'
const waitForLimit = 'Wait: the limit is lifted within minutes.'
const allowScope = 'Allow the scope for the client, or request fewer scopes.'
const fitScopes = 'Request openid, and only scopes that the response type can return.'
const noIdentityScopes = 'The client must leave out openid, other identity scopes and offline_access.'
const sendParameter = 'The client must send the missing parameter; its error_description names it.'
const compareCredentials = 'Compare the client ID and secret in the client with the registration.'
const databaseAway = 'Wait a moment. If it continues, check the database and its connections.'

const passkeyAgain = 'No action needed: the user uses the passkey again.'

const correctIssuer =
  'Compare both issuers. If the provider is right, correct the issuer of the identity provider; if not, correct the metadata there.'

/** Makes the reason for a missing required parameter. */
function missingParameter(name: string) {
  const check = 'parameters_present'
  const cause = `${name} is missing`
  return { error: 'invalid_request', check, cause, isCauseSent: true, remedy: sendParameter } as const
}

/** Makes the reason for a fault of an identity provider: the user can only try again, or sign in another way. */
function providerFault(cause: string) {
  return { error: 'provider_failed', cause } as const
}

export const reasons = {
  // Requests that cannot be read
  parameter_repeated: {
    error: 'invalid_request',
    cause: 'a parameter was sent more than once',
    remedy: encoding,
  },
  parameter_too_long: { error: 'invalid_request', cause: 'a parameter is too long', remedy: sendLess },
  too_many_parameters: {
    error: 'invalid_request',
    cause: 'there are too many parameters',
    wire: 'There are too many parameters.',
    remedy: sendLess,
  },
  nul_character: {
    error: 'invalid_request',
    cause: 'a parameter contains a NUL character',
    wire: 'A parameter contains a NUL character.',
    remedy: encoding,
  },
  tenant_malformed: {
    error: 'invalid_request',
    check: 'parameters_well_formed',
    cause: 'the tenant in acr_values contains a control character',
    wire: 'tenant in acr_values must not contain control characters.',
    remedy: encoding,
  },
  bad_encoding: { error: 'invalid_request', cause: 'its encoding is broken', remedy: encoding },
  charset: {
    error: 'unsupported_media_type',
    cause: 'it is not in UTF-8',
    wire: 'Send it as UTF-8.',
    remedy: encoding,
  },
  content_type: {
    error: 'unsupported_media_type',
    cause: 'its body has the wrong content type',
    remedy: sendForm,
  },
  content_type_missing: {
    error: 'unsupported_media_type',
    cause: 'its content type is missing',
    remedy: sendForm,
  },
  content_encoding: {
    error: 'unsupported_media_type',
    cause: 'its body is compressed',
    wire: 'Send the body uncompressed.',
    remedy: 'The client must send the body uncompressed.',
  },
  not_json: { error: 'invalid_request', cause: 'its body is not JSON', wire: 'The body is not JSON.' },
  repeated_key: {
    error: 'invalid_request',
    cause: 'a key appears twice in its body',
    wire: 'The body has a key that appears twice in one object.',
  },
  body_incomplete: { error: 'invalid_request', cause: 'its body ended early', wire: 'The body ended early.' },
  body_timeout: { error: 'request_timeout', cause: 'its body took too long to arrive' },
  body_too_large: { error: 'content_too_large', cause: 'its body is too large', remedy: sendLess },
  query_too_long: { error: 'uri_too_long', cause: 'its query is too long', remedy: sendLess },
  authorize_post_too_long: { error: 'content_too_large', cause: 'its form is too long', remedy: sendLess },
  callback_post_too_long: {
    error: 'content_too_large',
    cause: 'the form of the identity provider is too long',
  },
  prefetch: {
    error: 'invalid_request',
    cause: 'a browser only fetched it in advance',
    wire: 'This address cannot be prefetched.',
    remedy: 'No action needed.',
  },
  token_in_query: {
    error: 'invalid_request',
    cause: 'a token was sent in the address',
    wire: 'Send the token in the Authorization header.',
    remedy: 'The client must send the token in the Authorization header.',
  },
  token_in_query_disabled: {
    error: 'method_not_allowed',
    cause: 'a token was sent in the address, which is switched off',
    wire: 'Send the token by POST.',
    remedy: 'Send the token by POST.',
  },
  method_not_allowed: {
    error: 'method_not_allowed',
    cause: 'the method is not allowed',
    remedy: 'Use a method that the Allow header of the response lists.',
  },
  not_found: { error: 'not_found', cause: 'there is nothing at this address' },
  sec_fetch_site: { error: 'cross_site_post', cause: 'the form was sent by another site' },
  origin_mismatch: {
    error: 'cross_site_post',
    cause: 'the form was sent by another site',
    remedy: 'If users see this, ISSUER must be the address in their address bar.',
  },
  origin_missing: { error: 'cross_site_post', cause: 'the browser did not say which site sent the form' },

  // Connections and requests that do not reach a route
  malformed: { error: 'invalid_request', cause: 'it is not a valid HTTP request' },
  bad_target: { error: 'invalid_request', cause: 'its address cannot be read' },
  bad_host: { error: 'invalid_request', cause: 'it names no host, or more than one' },
  bad_page_request: {
    error: 'invalid_request',
    cause: 'its address or one of its headers cannot be accepted',
  },
  address_too_long: { error: 'uri_too_long', cause: 'its address is too long', remedy: sendLess },
  chunk_extensions: { error: 'content_too_large', cause: 'its chunk extensions are too long' },
  headers_too_long: { error: 'headers_too_large', cause: 'its headers are too long' },
  header_too_long: { error: 'headers_too_large', cause: 'one of its headers is too long' },
  too_many_headers: { error: 'headers_too_large', cause: 'it has too many headers' },
  cookies_too_long: { error: 'headers_too_large', cause: 'its cookies are too long, or too many' },
  expectation: { error: 'expectation_failed', cause: 'its Expect header is not supported' },
  method_unknown: { error: 'method_unknown', cause: 'the method is not supported' },
  request_timeout: { error: 'request_timeout', cause: 'it took too long to arrive' },

  // Failures of the server
  unexpected: {
    error: 'server_error',
    cause: 'an internal error; the log has the details under this request ID',
    remedy: 'Search the log for this request ID: it has the error and its place in the code.',
  },
  extension_failed: {
    error: 'server_error',
    cause: 'a hook or custom grant of the extensions failed; the log has the details',
    remedy: 'Search the log for this request ID: it names the hook and has its error. Correct it.',
  },
  partial_path_leaves_this_origin: {
    error: 'server_error',
    cause: 'the user service or postAuthenticate named a page of another site',
    remedy: 'Correct the path in your extensions file.',
  },
  database_unreachable: {
    error: 'temporarily_unavailable',
    cause: 'the database could not be reached',
    remedy: databaseAway,
  },
  database_timeout: {
    error: 'temporarily_unavailable',
    cause: 'the database took too long',
    remedy: databaseAway,
  },
  database_connections_exhausted: {
    error: 'temporarily_unavailable',
    cause: 'the database had no free connection',
    remedy: databaseAway,
  },
  database_write_conflict: {
    error: 'temporarily_unavailable',
    cause: 'other requests wrote the same data',
    remedy: databaseAway,
  },
  database_not_writable: {
    error: 'temporarily_unavailable',
    cause: 'the disk of the database is full or fails, or the database is read-only',
    remedy: 'Check the free space and the errors of the disk, and whether the database allows writes.',
  },
  password_queue_full: {
    error: 'temporarily_unavailable',
    check: 'credentials_correct',
    cause: 'too many passwords were being checked',
    remedy: 'Wait a moment. If it happens again, passwords are being guessed, or the server is too small.',
  },
  secret_queue_full: {
    error: 'temporarily_unavailable',
    check: 'client_authenticated',
    cause: 'too many secrets were being checked',
    remedy: 'Wait a moment. If it happens again, secrets are being guessed, or the server is too small.',
  },

  // The authorization endpoint
  client_id_missing: {
    error: 'invalid_request',
    check: 'client_known',
    cause: 'client_id is missing',
    isCauseSent: true,
    remedy: 'The client must send client_id and redirect_uri.',
  },
  unknown_client: {
    error: 'unknown_client',
    check: 'client_known',
    cause: 'no client has this ID',
    wire: 'client_id names no client that is registered and enabled.',
    sentence: '{client} isn’t registered.',
    remedy: 'Register the client, or correct the client_id in the client. Is it the right environment?',
    place: 'clients',
  },
  client_disabled: {
    error: 'unknown_client',
    check: 'client_enabled',
    cause: 'the client is disabled',
    wire: 'client_id names no client that is registered and enabled.',
    sentence: '{client} is disabled and was refused.',
    remedy: 'Enable the client if it should work again.',
    place: 'client',
  },
  redirect_uri_not_sent: {
    error: 'invalid_request',
    check: 'redirect_uri_registered',
    cause: 'redirect_uri is missing',
    isCauseSent: true,
    remedy: 'The client must send client_id and redirect_uri.',
  },
  redirect_uri_mismatch: {
    error: 'redirect_uri_mismatch',
    check: 'redirect_uri_registered',
    cause: 'its redirect URI is not registered',
    wire: 'redirect_uri is not exactly one of the registered redirect URIs of this client.',
    sentence: '{client} sent a redirect URI that isn’t registered.',
    remedy: 'Correct the redirect URI in the client, or register it if it belongs to the client.',
    place: 'client',
  },
  redirect_uri_not_accepted: {
    error: 'redirect_uri_mismatch',
    check: 'redirect_uri_registered',
    cause: 'validateRedirectUri of the extensions refused its redirect URI',
    wire: 'redirect_uri is not accepted by this server.',
    remedy: 'Ask the author of the extensions why validateRedirectUri refused.',
    place: 'client',
  },
  authorize_request_not_accepted: {
    error: 'invalid_request',
    check: 'extension_accepted',
    cause: 'validateAuthorizeRequest of the extensions refused',
    wire: 'The request was refused.',
    remedy: 'Ask the author of the extensions why validateAuthorizeRequest refused.',
  },
  client_test_over: {
    error: 'request_expired',
    cause: 'this admin session had no such test running',
    remedy: 'Start the test again: each is answered once, within ten minutes, to the admin who started it.',
    place: 'clients',
  },
  cookie_missing: {
    error: 'cookie_missing',
    cause: 'the browser sent no cookie',
    sentence: 'A user reached a sign-in with a browser that sent no cookie.',
    remedy:
      'The user allows cookies for this site. If all users are affected, check whether a proxy drops Set-Cookie.',
  },
  request_expired: {
    error: 'request_expired',
    cause: 'the sign-in took too long, or started in another browser',
    wire: 'This sign-in took too long or started elsewhere.',
    sentence: 'A user returned to a sign-in that took too long, or started in another browser.',
    remedy: startAgain,
  },
  request_finished: {
    error: 'request_finished',
    cause: 'the request was already answered',
    sentence: 'A user returned to a sign-in that was already answered.',
    remedy: 'No action needed: the user returns to the client, which has its answer.',
    isNeutral: true,
  },
  choice_expired: { error: 'request_expired', cause: 'the page was open for too long', remedy: startAgain },
  consent_expired: { error: 'request_expired', cause: 'the page was open for too long', remedy: startAgain },
  pending_request_limit: {
    error: 'too_many_requests',
    check: 'rate_limit_not_exceeded',
    cause: 'too many unfinished sign-ins came from this address',
    remedy:
      'Wait a minute. If all users are affected, set TRUST_PROXY: the proxy’s address counts for all of them.',
  },
  request_object: {
    error: 'request_not_supported',
    check: 'features_supported',
    cause: 'it sent a request object, which is not supported',
    remedy: 'The client must not use request objects, request_uri or registration.',
  },
  request_uri: {
    error: 'request_uri_not_supported',
    check: 'features_supported',
    cause: 'it sent request_uri, which is not supported',
    remedy: 'The client must not use request objects, request_uri or registration.',
  },
  registration: {
    error: 'registration_not_supported',
    check: 'features_supported',
    cause: 'it sent registration, which is not supported',
    remedy: 'The client must not use request objects, request_uri or registration.',
  },
  response_type_missing: {
    error: 'invalid_request',
    check: 'response_type_known',
    cause: 'response_type is missing',
    isCauseSent: true,
    remedy: 'Use response_type=code.',
  },
  response_type_unknown: {
    error: 'unsupported_response_type',
    check: 'response_type_known',
    cause: 'unknown response_type',
    wire: `response_type must be one of: ${responseTypeNames.join(', ')}.`,
    remedy: 'Use response_type=code.',
  },
  response_type_not_allowed: {
    error: 'unauthorized_client',
    check: 'response_type_allowed',
    cause: 'it is not registered for this response type',
    sentence: '{client} requested response type {sent}, for which it isn’t registered.',
    remedy: 'Use response_type=code, or register the client for this one.',
    place: 'client',
  },
  response_mode_not_allowed: {
    error: 'invalid_request',
    check: 'response_mode_allowed',
    cause: 'the response mode is unknown or not allowed for tokens',
    wire: 'response_mode must be query, fragment or form_post, and not query when a token is requested.',
    remedy: 'Leave response_mode out, or use fragment or form_post for tokens.',
  },
  // RFC 6749 3.3: the server has no default scope
  scope_missing: {
    error: 'invalid_scope',
    check: 'scopes_allowed',
    cause: 'scope is missing',
    isCauseSent: true,
    remedy: 'The client must name at least one scope.',
  },
  scope_empty: {
    error: 'invalid_scope',
    check: 'scopes_allowed',
    cause: 'none of the requested scopes is allowed',
    wire: 'scope contains no scope that this client may request.',
    remedy: allowScope,
    place: 'client',
  },
  scope_unknown: {
    error: 'invalid_scope',
    check: 'scopes_allowed',
    cause: 'it requested an unknown scope',
    sentence: '{client} requested scope {sent}, which doesn’t exist.',
    remedy: 'Define the scope, or correct its name in the client.',
    place: 'client',
  },
  scope_not_allowed: {
    error: 'invalid_scope',
    check: 'scopes_allowed',
    cause: 'it requested a scope that it may not have',
    sentence: '{client} requested scope {sent}, which it may not have.',
    remedy: allowScope,
    place: 'client',
  },
  openid_missing: {
    error: 'invalid_request',
    check: 'scopes_fit_response_type',
    cause: 'it requested an ID token without the scope openid',
    remedy: fitScopes,
  },
  identity_scope_with_token: {
    error: 'invalid_scope',
    check: 'scopes_fit_response_type',
    cause: 'response_type token cannot return identity scopes',
    wire: 'scope may contain resource scopes only for response_type token.',
    remedy: fitScopes,
  },
  identity_scope_without_openid: {
    error: 'invalid_scope',
    check: 'scopes_fit_response_type',
    cause: 'it requested identity scopes without openid',
    wire: 'scope must contain openid when it contains identity scopes.',
    remedy: fitScopes,
  },
  resource_scope_with_id_token: {
    error: 'invalid_scope',
    check: 'scopes_fit_response_type',
    cause: 'response_type id_token cannot return resource scopes',
    wire: 'scope may contain identity scopes only for response_type id_token.',
    remedy: fitScopes,
  },
  code_challenge_missing: {
    error: 'invalid_request',
    check: 'code_challenge_valid',
    cause: 'code_challenge is missing',
    sentence: '{client} sent no code_challenge, which it must.',
    remedy: turnPkceOn,
    place: 'client',
  },
  // RFC 9700 2.1.1: a nonce can replace PKCE for confidential clients
  code_challenge_and_nonce_missing: {
    error: 'invalid_request',
    check: 'code_challenge_valid',
    cause: 'code_challenge is missing, and there is no nonce with the scope openid',
    wire: 'code_challenge is missing; this client must use PKCE with S256, or send a nonce and request openid.',
    sentence: '{client} sent neither code_challenge nor a nonce with the scope openid.',
    remedy:
      'Turn PKCE with S256 on in the application, or let it request openid with a nonce. If it can do neither, set the client’s pkce to optional: nothing then detects a stolen code.',
    place: 'client',
  },
  code_challenge_malformed: {
    error: 'invalid_request',
    check: 'code_challenge_valid',
    cause: 'code_challenge is malformed',
    remedy: sendPkce,
    place: 'client',
  },
  code_challenge_method_unknown: {
    error: 'invalid_request',
    check: 'code_challenge_valid',
    cause: 'unknown code_challenge_method',
    wire: 'code_challenge_method must be S256 or plain.',
    remedy: sendPkce,
    place: 'client',
  },
  code_challenge_method_not_s256: {
    error: 'invalid_request',
    check: 'code_challenge_valid',
    cause: 'code_challenge_method is not S256',
    wire: 'This client must use PKCE with code_challenge_method S256; an absent method means plain.',
    sentence: '{client} sent a code_challenge_method other than S256, which it must use.',
    remedy: sendPkce,
    place: 'client',
  },
  nonce_missing: {
    error: 'invalid_request',
    check: 'nonce_present',
    cause: 'nonce is missing',
    sentence: '{client} sent no nonce, which this response type requires.',
    remedy: `The client must send a nonce. ${updateLibrary}`,
  },
  prompt_unknown: {
    error: 'invalid_request',
    check: 'prompt_valid',
    cause: 'prompt contains an unknown value',
    wire: 'prompt may contain only: none, login, consent, select_account, create.',
    remedy: updateLibrary,
  },
  prompt_none_with_others: {
    error: 'invalid_request',
    check: 'prompt_valid',
    cause: 'prompt=none combined with other values',
    wire: 'prompt none cannot be combined with other values.',
    remedy: updateLibrary,
  },
  prompt_create_with_others: {
    error: 'invalid_request',
    check: 'prompt_valid',
    cause: 'prompt=create combined with other values',
    wire: 'prompt create cannot be combined with other values.',
    remedy: updateLibrary,
  },
  prompt_create_closed: {
    error: 'invalid_request',
    check: 'prompt_valid',
    cause: 'prompt=create, but users cannot create accounts themselves',
    wire: 'prompt create is not supported: users cannot create accounts here.',
    remedy:
      'The client sends create only if prompt_values_supported of the metadata contains it, or an administrator opens the registration.',
  },
  max_age_malformed: {
    error: 'invalid_request',
    check: 'max_age_valid',
    cause: 'max_age is not a number of seconds',
    wire: 'max_age must be a whole number of seconds, not negative.',
    remedy: updateLibrary,
  },

  // The reasons for asking a user (with prompt=none, for refusing the request), and for ending the request without tokens
  not_signed_in: {
    error: 'login_required',
    check: 'user_may_continue',
    cause: 'no user was signed in',
    wire: 'No user is signed in.',
    sentence: '{client} sent prompt=none, but no user was signed in.',
    remedy: signInFirst,
  },
  prompt_login: {
    error: 'login_required',
    check: 'user_may_continue',
    cause: 'the client requires a fresh sign-in',
    remedy: signInFirst,
  },
  prompt_create: {
    error: 'login_required',
    check: 'user_may_continue',
    cause: 'the client asks the user to create an account',
    remedy: signInFirst,
  },
  requested_provider_differs: {
    error: 'login_required',
    check: 'user_may_continue',
    cause: 'the client requires a sign-in at another identity provider',
    wire: 'The user must sign in at the identity provider that acr_values names.',
    remedy: signInFirst,
  },
  provider_not_allowed_for_client: {
    error: 'interaction_required',
    check: 'user_may_continue',
    cause: 'the user signed in at an identity provider that the client does not allow',
    wire: 'The user signed in at an identity provider that this client does not allow.',
    remedy: signInFirst,
  },
  local_login_not_allowed_for_client: {
    error: 'interaction_required',
    check: 'user_may_continue',
    cause: 'the client does not allow signing in with a password',
    wire: 'The user signed in with a password, which this client does not allow.',
    remedy: signInFirst,
  },
  max_age_exceeded: {
    error: 'login_required',
    check: 'user_may_continue',
    cause: 'the last sign-in is older than max_age',
    wire: 'The last sign-in of the user is older than max_age.',
    sentence: '{client} sent prompt=none, but the last sign-in is too old.',
    remedy: signInFirst,
  },
  assurance_too_low: {
    error: 'login_required',
    check: 'user_may_continue',
    cause: 'the client requires another factor',
    wire: 'The sign-in of the user does not reach the level that acr_values or this client require.',
    sentence: '{client} sent prompt=none, but requires another factor from the user.',
    remedy: signInFirst,
  },
  assurance_unreachable: {
    error: 'unmet_authentication_requirements',
    check: 'user_may_continue',
    cause: 'browsers have no passkeys at this issuer, or the user has no factor left to prove',
    sentence: '{client} requires a level of authentication that the user cannot reach.',
    remedy:
      'Lower the level in acr_values or in the client’s require_acr, or serve the issuer by https at a domain, where passkeys work.',
    place: 'client',
  },
  id_token_hint_differs: {
    error: 'login_required',
    check: 'user_may_continue',
    cause: 'id_token_hint names a user other than the signed-in one, or was not issued to this client',
    wire: 'id_token_hint names a user other than the signed-in one, or was not issued to this client.',
    sentence: '{client} asked for a user other than the signed-in one.',
    remedy: signInFirst,
  },
  prompt_select_account: {
    error: 'account_selection_required',
    check: 'user_may_continue',
    cause: 'the client asks the user to choose an account',
    remedy: signInFirst,
  },
  login_hint_differs: {
    error: 'account_selection_required',
    check: 'user_may_continue',
    cause: 'login_hint names a user other than the signed-in one',
    wire: 'login_hint names a user other than the signed-in one.',
    sentence: '{client} sent prompt=none, but login_hint names a user other than the signed-in one.',
    remedy: 'No action needed: the client must let the user choose an account, or leave login_hint out.',
  },
  prompt_consent: {
    error: 'consent_required',
    check: 'user_may_continue',
    cause: 'the client asks for consent again',
    remedy: signInFirst,
  },
  consent_needed: {
    error: 'consent_required',
    check: 'user_may_continue',
    cause: 'consent has not been given',
    sentence: '{client} sent prompt=none, but consent has not been given.',
    remedy: signInFirst,
  },
  no_sign_in_method: {
    error: 'access_denied',
    check: 'user_may_continue',
    cause: 'the client allows no sign-in method that is enabled',
    sentence: 'No user can sign in to {client}: it allows no sign-in method that is enabled.',
    remedy: 'Allow passwords, or an identity provider that is enabled, for this client.',
    place: 'client',
  },
  consent_denied: {
    error: 'access_denied',
    check: 'user_may_continue',
    cause: 'the user denied the request',
    sentence: 'The user denied {client} the access that it requested.',
    remedy: 'No action needed: the user decided.',
  },
  cancelled: {
    error: 'access_denied',
    cause: 'the user canceled',
    sentence: 'The user canceled signing in to {client}.',
    remedy: 'No action needed: the user decided.',
  },

  // Sign-in and sign-out
  unknown_user: {
    cause: 'no user has this user name',
    sentence: 'A sign-in used an unknown user name.',
    remedy: 'No action needed, unless the user should have an account.',
    place: 'user',
  },
  wrong_password: {
    cause: 'wrong password',
    sentence: 'A wrong password was entered for {user}.',
    remedy: 'The user enters the password again, or you reset it.',
    place: 'user',
  },
  wrong_second_factor: {
    cause: 'wrong code of the authenticator app, or wrong recovery code',
    sentence: 'A wrong code was entered for {user}, after the correct password.',
    remedy:
      'The user enters a new code or a recovery code. If codes of the app never work, the clock of the device or of this server is wrong.',
    place: 'user',
  },
  used_second_factor: {
    cause: 'the code of the authenticator app was already used',
    sentence: 'A code that was already used was entered for {user}.',
    remedy: 'The user waits for the next code of the app.',
    place: 'user',
  },
  sign_out_hint_invalid: {
    cause: 'its id_token_hint is not an ID token of this server for the signed-in user',
    remedy:
      'The client must send the ID token that it got for this user. Without it, the user confirms the sign-out.',
  },
  sign_out_client_unknown: {
    cause: 'its client_id names no enabled client, or not the one of its id_token_hint',
    remedy: 'Correct client_id in the client, or enable the client.',
    place: 'clients',
  },
  sign_out_client_missing: {
    cause: 'it has a post_logout_redirect_uri, but neither id_token_hint nor client_id',
    remedy: 'The client must also send id_token_hint or client_id.',
  },
  post_logout_redirect_uri_mismatch: {
    check: 'post_logout_redirect_uri_registered',
    cause: 'its post_logout_redirect_uri is not registered',
    sentence: '{client} sent a post_logout_redirect_uri that isn’t registered.',
    remedy:
      'Correct it in the client, or add it to the sign-out redirect URIs if it belongs to the client. Until then users stay on the sign-out page.',
    place: 'client',
  },
  no_verified_address: {
    cause: 'the account has no verified email address',
    remedy: 'Enter the address of the user, and mark it as verified if you know that it belongs to the user.',
    place: 'user',
  },
  several_accounts: {
    cause: 'several accounts have this address; the mail names them',
    remedy: 'No action needed: the user asks again with a user name.',
  },
  address_has_account: {
    cause: 'an account has this address; the mail says so',
    remedy: 'No action needed: the user signs in, or chooses a new password.',
  },
  too_many_mails: {
    cause: 'the account or the address has got too many mails',
    remedy:
      'The link of the last mail still works. If the user did not ask, the requests are by someone else.',
    place: 'user',
  },
  account_disabled: {
    cause: 'the account is locked',
    sentence: '{user} tried to sign in, but the account is locked.',
    remedy: 'Unlock the account if the user should have access.',
    place: 'user',
  },
  account_changed: {
    error: 'invalid_grant',
    check: 'user_active',
    cause: 'the account was locked, or a way to sign in was changed or removed, during the sign-in',
    sentence: '{user} signed in while the account was being locked, or a way to sign in changed or removed.',
    remedy: 'No action needed: the user signs in again, with the current password and factors.',
    place: 'user',
  },
  another_account: {
    cause: 'the signed-in user had to confirm the identity, and another user signed in',
    sentence: '{user} signed in where another user had to confirm the identity.',
    remedy: 'No action needed: the user confirms with the account that is signed in.',
    place: 'user',
  },
  link_taken: {
    cause: 'the identity is linked to another account',
    sentence: '{user} tried to link an identity that is linked to another account.',
    remedy:
      'If the other account should not have it, unlink it on the page of that user; then the user links it again.',
    place: 'user',
  },
  link_not_proven: {
    cause:
      'the session of the user ended, or the verified address of the account changed, before the identity was linked',
    remedy: 'No action needed: the user signs in and links the identity in the account.',
    place: 'user',
  },
  link_had_identity: {
    cause:
      'the account has, or had, another identity of this provider, so a trusted address is not enough to link one',
    remedy: 'The user signs in and links the identity in the account, if it is theirs.',
    place: 'user',
  },
  too_many_links: {
    cause: 'the account has the highest possible number of linked identities',
    remedy: 'The user unlinks an identity that is no longer used.',
    place: 'user',
  },
  no_password: {
    cause: 'the account has no password',
    sentence: 'A password was entered for {user}, who has none.',
    remedy: 'The user signs in at their identity provider, or you set a password.',
    place: 'user',
  },
  passkeys_off: {
    cause: 'passkeys do not work at the address of this server',
    remedy: 'Serve it under a name, not an IP address, and with https.',
  },
  passkey_unreadable: {
    cause: 'the browser sent no readable response of a passkey',
    remedy: 'No action needed: the user uses the passkey again, or signs in another way.',
  },
  passkey_challenge_unknown: {
    cause: 'the challenge of the passkey was not made for this browser and this page',
    remedy: passkeyAgain,
  },
  passkey_challenge_expired: {
    cause: 'the challenge of the passkey expired',
    remedy: passkeyAgain,
  },
  passkey_challenge_used: {
    cause: 'the challenge of the passkey was already used',
    remedy:
      'No action needed if the user pressed the button twice. Otherwise a response was repeated, and refused.',
  },
  passkey_unknown: {
    cause: 'the passkey is not known',
    sentence: 'A sign-in used an unknown passkey.',
    remedy: 'The user signs in another way, and deletes the removed passkey from the device.',
  },
  passkey_of_another_user: {
    cause: 'the passkey belongs to another user',
    sentence: 'A passkey of {user} was used in the name of another user.',
    remedy: 'No action needed: it was refused.',
    place: 'user',
  },
  passkey_not_verified: {
    cause: 'the signature of the passkey, or what it signed, is wrong',
    sentence: 'A wrong response of a passkey of {user} was refused.',
    remedy: 'If it repeats: compare the address of the sign-in page with ISSUER.',
    place: 'user',
  },
  passkey_cloned: {
    cause: 'the counter of the passkey has not grown, so a copy of it may exist',
    sentence: 'A passkey of {user} was refused: its counter has not grown, so a copy of it may exist.',
    remedy: 'Ask the user. If the passkey may have been copied, the user removes it and creates a new one.',
    place: 'user',
  },
  passkey_needs_provider: {
    cause: 'the passkey is only a second factor after the sign-in with the identity provider',
    sentence:
      '{user} used a passkey that is only a second factor after the sign-in with the identity provider.',
    remedy: 'No action needed: the user signs in with the identity provider first.',
    place: 'user',
  },
  passkey_exists: {
    cause: 'the passkey was already added',
    remedy: 'No action needed: the passkey can be used.',
  },
  too_many_passkeys: {
    cause: 'the user has the maximum number of passkeys',
    remedy: 'The user removes a passkey that is no longer used.',
  },
  pre_authenticate_refused: {
    error: 'access_denied',
    check: 'user_may_continue',
    cause: 'preAuthenticate of the extensions refused',
    wire: 'The request was refused.',
    remedy: 'Ask the author of the extensions why preAuthenticate refused.',
  },
  pre_authenticate_not_local: {
    cause: 'preAuthenticate of the extensions named a user, but the request requires an identity provider',
    sentence:
      '{user} was not signed in by preAuthenticate of the extensions: the request requires an identity provider.',
    remedy: 'Allow local sign-in for this client, or let preAuthenticate return continue for it.',
    place: 'client',
  },
  pre_authenticate_not_new: {
    cause: 'preAuthenticate of the extensions named a user, but the request requires a new sign-in',
    sentence:
      '{user} was not signed in by preAuthenticate of the extensions: the request requires a new sign-in.',
    remedy: 'Let preAuthenticate return continue if mustAuthenticate is true.',
  },
  pre_authenticate_partial: {
    cause: 'preAuthenticate of the extensions requires another page first',
    sentence: 'A user was sent to another page by preAuthenticate of the extensions.',
    remedy: 'The user returns from that page to /login/return.',
  },
  post_authenticate_refused: {
    error: 'invalid_grant',
    check: 'extension_accepted',
    cause: 'postAuthenticate of the extensions refused',
    wire: 'The user may not sign in.',
    sentence: '{user} was refused by postAuthenticate of the extensions.',
    remedy: 'Ask the author of the extensions why postAuthenticate refused.',
    place: 'user',
  },
  post_authenticate_partial: {
    error: 'invalid_grant',
    check: 'extension_accepted',
    cause: 'postAuthenticate of the extensions requires another step',
    wire: 'The sign-in has another step. The user must sign in with a browser.',
    remedy: 'The user must sign in with a browser once.',
    place: 'user',
  },
  user_service_refused: {
    cause: 'the user service refused',
    remedy: 'Ask your user service why it refused.',
  },
  provider_not_allowed: { cause: 'this identity provider is disabled or not allowed for the client' },
  external_state_unknown: { cause: 'no pending sign-in for this callback', remedy: startAgain },
  sign_in_rate_limited: {
    error: 'too_many_requests',
    check: 'rate_limit_not_exceeded',
    cause: 'too many failed attempts',
    remedy:
      'Wait: the limit is lifted within minutes. If the user needs access sooner, allow the sign-in on the page of the user.',
    place: 'user',
  },
  sign_in_refused: {
    error: 'invalid_grant',
    check: 'credentials_correct',
    cause: 'wrong user name or password',
    remedy: 'The user enters the password again, or you reset it.',
    place: 'user',
  },
  sign_in_partial: {
    error: 'invalid_grant',
    check: 'credentials_correct',
    cause: 'the sign-in has another step, which this grant cannot show',
    remedy: 'The user must sign in with a browser once.',
    place: 'user',
  },
  password_change_required: {
    error: 'invalid_grant',
    check: 'credentials_correct',
    cause: 'the password is temporary and must be changed first',
    wire: 'The password is temporary. The user must sign in with a browser once and change it.',
    remedy: 'The user signs in with a browser once and changes the password.',
    place: 'user',
  },
  terms_not_accepted: {
    error: 'invalid_grant',
    check: 'credentials_correct',
    cause: 'the user has not accepted the terms of use',
    wire: 'The user must accept the terms of use. The user must sign in with a browser.',
    remedy: 'The user signs in with a browser once and accepts the terms.',
    place: 'user',
  },
  second_factor_missing: {
    error: 'invalid_grant',
    check: 'credentials_correct',
    cause: 'the sign-in needs a factor that the user does not have yet',
    wire: 'The user must set up a second factor. The user must sign in with a browser.',
    remedy: 'The user signs in with a browser once and sets up a second factor.',
    place: 'user',
  },
  second_factor_required: {
    error: 'invalid_grant',
    check: 'credentials_correct',
    cause: 'the sign-in needs a second factor',
    wire: 'The user has two-step sign-in, which this grant cannot show. The user must sign in with a browser.',
    remedy: 'The client uses the authorization code flow, in which the user enters the code.',
    place: 'user',
  },

  // Client authentication
  two_methods: {
    error: 'invalid_request',
    check: 'request_read',
    cause: 'two authentication methods in one request',
    wire: 'Authenticate in the header or in the body, not in both.',
    remedy: 'The client must use one authentication method.',
  },
  two_clients: {
    error: 'invalid_request',
    check: 'request_read',
    cause: 'two client IDs in one request',
    wire: 'client_id differs from the one in the Authorization header.',
    remedy: 'The client must name itself once.',
  },
  no_credentials: {
    error: 'invalid_client',
    check: 'client_authenticated',
    cause: 'no client credentials were sent',
    wire: 'No client credentials were sent. Use HTTP Basic, or client_id and client_secret in the body.',
    remedy: compareCredentials,
    place: 'clients',
  },
  unreadable_header: {
    error: 'invalid_client',
    check: 'client_authenticated',
    cause: 'the Authorization header is malformed',
    wire: 'The Authorization header is not Basic with base64 of client_id:client_secret.',
    remedy: compareCredentials,
    place: 'clients',
  },
  secret_empty: {
    error: 'invalid_client',
    check: 'client_authenticated',
    cause: 'its Authorization header has no secret',
    wire: 'The Authorization header has no secret. A public client sends client_id in the body, and no Authorization header.',
    remedy:
      'If the client is public, it must send client_id in the body instead of HTTP Basic. Otherwise it must send its secret.',
    place: 'clients',
  },
  credentials_too_long: {
    error: 'invalid_client',
    check: 'client_authenticated',
    cause: 'the client credentials are too long',
    remedy: compareCredentials,
    place: 'clients',
  },
  wrong_credentials: {
    error: 'invalid_client',
    check: 'client_authenticated',
    cause: 'client authentication failed',
    remedy: compareCredentials,
    place: 'clients',
  },
  secret_wrong: {
    cause: 'wrong client secret',
    sentence: '{client} sent a wrong secret.',
    remedy: 'Compare the secret in the client with the registered one; rotate it if it is lost.',
    place: 'secrets',
  },
  secret_missing: {
    cause: 'no client secret was sent',
    sentence: '{client} sent no secret, which it must.',
    remedy: 'The client must send its secret. If it can’t keep one, register it as a public client.',
    place: 'client',
  },
  secrets_absent: {
    cause: 'the client has no secret',
    sentence: '{client} could not authenticate: no secret is registered.',
    remedy: 'Add a secret and configure it in the client.',
    place: 'secrets',
  },
  secrets_expired: {
    cause: 'all secrets of the client have expired',
    sentence: '{client} could not authenticate: all its secrets have expired.',
    remedy: 'Add a new secret and configure it in the client.',
    place: 'secrets',
  },
  auth_method_differs: {
    cause: 'the client is registered for another authentication method',
    sentence: '{client} used {method}; another authentication method is registered.',
    remedy: 'Use the registered authentication method, or change token_endpoint_auth_method of the client.',
    place: 'client',
  },
  client_rate_limited: {
    error: 'too_many_requests',
    check: 'client_authenticated',
    cause: 'too many failed attempts with a client secret',
    remedy: 'Wait a few minutes, and configure the right secret in the client first.',
    place: 'secrets',
  },

  // The token endpoint
  grant_type_missing: {
    error: 'invalid_request',
    check: 'grant_type_known',
    cause: 'grant_type is missing',
    isCauseSent: true,
    remedy: 'Use a grant type that the discovery document lists.',
  },
  grant_type_unknown: {
    error: 'unsupported_grant_type',
    check: 'grant_type_known',
    cause: 'unknown grant_type',
    wire: 'grant_type is not one of those in grant_types_supported of the discovery document.',
    sentence: '{client} used an unknown grant type.',
    remedy: 'Use a grant type that the discovery document lists.',
  },
  grant_type_not_allowed: {
    error: 'unauthorized_client',
    check: 'grant_type_allowed',
    cause: 'the client may not use this grant type',
    wire: 'grant_type is not among the grant_types of this client.',
    sentence: '{client} used the grant type {grant}, which it may not use.',
    remedy: 'Allow the grant type for the client if it should have it.',
    place: 'client',
  },
  code_missing: missingParameter('code'),
  redirect_uri_missing: missingParameter('redirect_uri'),
  refresh_token_missing: missingParameter('refresh_token'),
  username_missing: missingParameter('username'),
  password_missing: missingParameter('password'),
  token_missing: {
    error: 'invalid_request',
    cause: 'token is missing',
    isCauseSent: true,
    remedy: sendParameter,
  },
  public_client: {
    error: 'unauthorized_client',
    check: 'client_is_confidential',
    cause: 'a public client may not use this grant type',
    wire: 'Clients without a secret may not use this grant_type.',
    remedy: 'Give the client a secret, or use the authorization code with PKCE.',
    place: 'client',
  },
  local_login_disabled: {
    error: 'unauthorized_client',
    check: 'password_sign_in_allowed',
    cause: 'the client does not allow signing in with a password',
    wire: 'The client does not allow signing in with a password.',
    remedy: 'Allow passwords for this client if users should sign in with one.',
    place: 'client',
  },
  code_unknown: {
    error: 'invalid_grant',
    check: 'code_known',
    cause: 'the code is unknown',
    wire: 'code is unknown. It may be truncated, or issued by another server.',
    remedy: 'The code may be truncated, or belong to another server or client.',
  },
  code_of_another_client: {
    error: 'invalid_grant',
    check: 'code_known',
    cause: 'the code was issued to another client',
    wire: 'code is unknown. It may be truncated, or issued by another server.',
    sentence: '{client} tried to redeem a code that was issued to another client.',
    remedy: 'The code may be truncated, or belong to another server or client.',
  },
  code_attempts_exceeded: {
    error: 'invalid_grant',
    check: 'code_attempts_not_exceeded',
    cause: 'too many failed redemption attempts',
    wire: 'code had too many failed redemptions. Start a new authorization request.',
    remedy: 'The client must start a new authorization request.',
  },
  redirect_uri_differs: {
    error: 'invalid_grant',
    check: 'code_redirect_uri_matches',
    cause: 'redirect_uri differs from the one in the authorization request',
    isCauseSent: true,
    sentence: '{client} redeemed its code with a redirect URI other than the requested one.',
    remedy: 'The client must send the same redirect_uri to both endpoints.',
  },
  verifier_missing: {
    error: 'invalid_grant',
    check: 'code_verifier_correct',
    cause: 'code_verifier is missing',
    wire: 'code_verifier is missing; the authorization request had a code_challenge.',
    sentence: '{client} redeemed its code without code_verifier.',
    remedy: 'The client must send the code_verifier of the same request.',
  },
  verifier_unexpected: {
    error: 'invalid_grant',
    check: 'code_verifier_correct',
    cause: 'code_verifier without code_challenge in the authorization request',
    wire: 'code_verifier was sent, but the authorization request had no code_challenge.',
    remedy: 'The client must send code_challenge in the authorization request.',
  },
  verifier_wrong: {
    error: 'invalid_grant',
    check: 'code_verifier_correct',
    cause: 'code_verifier does not match code_challenge',
    wire: 'code_verifier does not match the code_challenge of the authorization request.',
    sentence: '{client} redeemed its code with a wrong code_verifier.',
    remedy:
      'The client must send the code_verifier of the same request: often there are two tabs, or the client lost its session.',
  },
  code_replayed: {
    error: 'invalid_grant',
    check: 'code_unused',
    cause: 'the code was already used; everything issued for it is revoked',
    wire: 'code was already used. All tokens issued for it are revoked now.',
    sentence: '{client} redeemed a code twice; everything issued for it is revoked.',
    remedy:
      'The client redeemed one code twice, often by reloading its callback. Otherwise the code was stolen; its tokens are revoked.',
    place: 'client',
  },
  code_expired: {
    error: 'invalid_grant',
    check: 'code_not_expired',
    cause: 'the code has expired',
    wire: 'code has expired. Redeem it immediately after the redirect.',
    sentence: '{client} redeemed its code too late.',
    remedy: 'The client must redeem the code immediately after the redirect.',
    place: 'client',
  },
  refresh_token_malformed: {
    error: 'invalid_grant',
    check: 'refresh_token_known',
    cause: 'not a refresh token of this server',
    wire: 'refresh_token is not a refresh token of this server.',
    remedy: signInAgain,
  },
  refresh_token_unknown: {
    error: 'invalid_grant',
    check: 'refresh_token_known',
    cause: 'the refresh token is unknown or revoked',
    wire: 'refresh_token is unknown or was revoked.',
    sentence: '{client} sent a refresh token that is unknown or was revoked.',
    remedy: signInAgain,
  },
  refresh_token_of_another_client: {
    error: 'invalid_grant',
    check: 'refresh_token_known',
    cause: 'the refresh token was issued to another client',
    wire: 'refresh_token is unknown or was revoked.',
    remedy: signInAgain,
  },
  refresh_token_replayed: {
    error: 'invalid_grant',
    check: 'refresh_token_unused',
    cause: 'the refresh token was already used; all tokens of that sign-in are revoked',
    wire: 'refresh_token was already used. All tokens of this sign-in are revoked now.',
    sentence: '{client} reused a refresh token; all tokens of that sign-in are revoked.',
    remedy: 'The client must keep only the newest refresh token, and refresh once at a time.',
    place: 'client',
  },
  refresh_token_expired: {
    error: 'invalid_grant',
    check: 'refresh_token_not_expired',
    cause: 'the refresh token has expired',
    wire: 'refresh_token has expired. The user must sign in again.',
    sentence: '{client} sent an expired refresh token.',
    remedy: 'The user must sign in again. Longer lifetimes are settings of the client.',
    place: 'client',
  },
  refresh_retry_differs: {
    error: 'invalid_scope',
    check: 'scopes_still_allowed',
    cause: 'it repeated a refresh with a different scope',
    wire: 'scope is not that of the request this refresh token was used for.',
    remedy: 'The client must repeat a refresh with the same scope.',
  },
  grant_revoked: {
    error: 'invalid_grant',
    check: 'grant_live',
    cause: 'the grant was revoked, or the session has ended',
    wire: 'The grant was revoked, or the session has ended.',
    sentence: '{client} tried to use a revoked grant.',
    remedy: signInAgain,
  },
  grant_expired: {
    error: 'invalid_grant',
    check: 'grant_live',
    cause: 'the grant has expired',
    wire: 'The grant has expired. The user must sign in again.',
    sentence: '{client} tried to use an expired grant.',
    remedy: signInAgain,
  },
  grant_of_another_client: {
    error: 'invalid_grant',
    check: 'grant_live',
    cause: 'the grant belongs to another client',
    remedy: signInAgain,
  },
  subject_inactive: {
    error: 'invalid_grant',
    check: 'user_active',
    cause: 'the account is locked or deleted',
    wire: 'The account is locked or deleted.',
    sentence: '{client} requested tokens for a user whose account is locked or deleted.',
    remedy: 'Unlock the account if the user should have access.',
    place: 'user',
  },
  level_not_reached: {
    error: 'invalid_grant',
    check: 'level_reached',
    cause: 'the sign-in did not reach the level that the client requires',
    wire: 'The sign-in did not reach the level that this client requires. The user must sign in with a browser again.',
    sentence: '{client} requested tokens for a sign-in below the level that it requires.',
    remedy:
      'The client sends the user to the authorization endpoint, where the missing factor is asked for; or lower its require_acr.',
    place: 'client',
  },
  offline_no_longer_allowed: {
    error: 'invalid_grant',
    check: 'scopes_still_allowed',
    cause: 'the client may no longer use refresh tokens',
    wire: 'The client may no longer use offline_access.',
    remedy: 'Allow the scope for the client again, or request what was granted.',
    place: 'client',
  },
  no_scope_left: {
    error: 'invalid_grant',
    check: 'scopes_still_allowed',
    cause: 'none of the granted scopes is still allowed',
    wire: 'None of the granted scopes is still allowed for this client.',
    remedy: 'Allow the scope for the client again, or request what was granted.',
    place: 'client',
  },
  scope_not_granted: {
    error: 'invalid_scope',
    check: 'scopes_still_allowed',
    cause: 'it requested a scope that was not granted',
    wire: 'scope contains a name that was not granted.',
    remedy: 'Allow the scope for the client again, or request what was granted.',
    place: 'client',
  },
  token_scope_missing: {
    error: 'invalid_scope',
    check: 'scopes_allowed',
    cause: 'scope is missing',
    isCauseSent: true,
    remedy: 'The client must name at least one scope.',
  },
  identity_scope: {
    error: 'invalid_scope',
    check: 'scopes_fit_grant',
    cause: 'identity scopes are not possible without a user',
    wire: 'scope may contain resource scopes only: there is no user.',
    remedy: noIdentityScopes,
  },
  offline_access_without_refresh_token: {
    cause: 'offline_access was ignored, because the client may not use refresh_token',
    remedy:
      'For a refresh token, add refresh_token to the grant types of the client. Otherwise let the app leave out offline_access.',
    place: 'client',
    isNeutral: true,
  },
  offline_access_not_in_scope: {
    cause: 'offline_access was ignored, because the client is not registered for it',
    remedy:
      'For a refresh token, add offline_access to the scopes of the client, and refresh_token to its grant types. Otherwise let the app leave out offline_access.',
    place: 'client',
    isNeutral: true,
  },
  offline_access_disabled: {
    cause: 'offline_access was ignored, because the scope is disabled',
    remedy: 'For a refresh token, enable the scope offline_access.',
    isNeutral: true,
  },
  offline_access_without_code: {
    cause: 'offline_access was ignored, because no code was requested',
    remedy: 'For a refresh token, the app must request a code (response_type=code).',
    isNeutral: true,
  },
  offline_scope: {
    error: 'invalid_scope',
    check: 'scopes_fit_grant',
    cause: 'this grant type has no refresh token',
    wire: 'scope may not contain offline_access: this grant has no refresh token.',
    remedy: noIdentityScopes,
  },
  no_subject: {
    error: 'invalid_scope',
    check: 'scopes_fit_grant',
    cause: 'identity scopes are not possible without a user',
    wire: 'scope may contain resource scopes only: there is no user.',
    remedy: noIdentityScopes,
  },
  custom_grant_refused: {
    error: 'invalid_grant',
    check: 'extension_accepted',
    cause: 'the extension refused',
    remedy: 'Ask the author of the extension for this grant why it refused.',
  },
  token_request_not_accepted: {
    error: 'invalid_request',
    check: 'extension_accepted',
    cause: 'validateTokenRequest of the extensions refused',
    wire: 'The request was refused.',
    remedy: 'Ask the author of the extensions why validateTokenRequest refused.',
  },
  nothing_to_revoke: {
    cause: 'there was nothing to revoke',
    remedy: 'No action needed: the token has ended before, or belongs to another client.',
  },

  // Presented tokens
  invalid_request: { error: 'invalid_request', cause: 'a parameter is missing or was sent twice' },
  no_token: {
    cause: 'no token was sent',
    remedy: 'The client must send its access token in the Authorization header.',
  },
  invalid_token: {
    error: 'invalid_token',
    cause: 'the token is malformed, expired or revoked',
    remedy: 'No action needed: the client must refresh its tokens, or send the user to sign in again.',
  },
  insufficient_scope: {
    error: 'insufficient_scope',
    cause: 'the token lacks the scope',
    remedy: 'The client must request a token with the scope; userinfo requires openid.',
  },
  too_many_requests: { error: 'too_many_requests', cause: 'too many attempts', remedy: waitForLimit },

  // The dashboard, its API and the playground
  not_allowed: {
    cause: 'the role does not allow it',
    remedy: 'An owner can give this administrator another role.',
  },
  not_an_administrator: {
    cause: 'not an administrator',
    sentence: '{user} tried to sign in to the dashboard, but is not an administrator.',
    remedy: 'An owner can invite this user.',
  },
  address_not_allowed: {
    cause: 'the dashboard does not allow this IP address',
    sentence: 'The dashboard was opened from an IP address that is not allowed.',
    remedy:
      'If that was an administrator, add the address to LATCHKEY_ADMIN_ADDRESSES and restart. Behind a proxy it is right only with TRUST_PROXY.',
  },
  admin_sign_in_failed: {
    cause: 'the sign-in was canceled, took too long, or began in another browser',
    sentence: 'A sign-in to the dashboard was not completed.',
    remedy: 'No action needed: sign in again.',
  },
  admin_not_allowed: { error: 'access_denied', cause: 'the role does not allow it' },
  admin_session_missing: { error: 'access_denied', cause: 'the admin session has ended' },
  admin_scope_missing: {
    error: 'insufficient_scope',
    cause: 'the token lacks the scope of the admin API',
    sentence: '{user} was refused in the dashboard’s API: the token lacks its scope.',
  },
  admin_target_unknown: { error: 'not_found', cause: 'it no longer exists' },
  use_case_unknown: { error: 'not_found', cause: 'there is no such action' },
  invitation_unknown: { cause: 'the link was used or has expired' },
  api_invalid: { cause: 'its input is not valid' },
  api_not_found: { cause: 'there is nothing at this address' },
  api_method_not_allowed: { cause: 'method not allowed' },
  api_stale_version: { cause: 'another admin changed it in the meantime' },
  api_version_missing: { cause: 'If-Match is missing' },
  playground_not_loopback: { error: 'not_found', cause: 'the playground runs only on loopback addresses' },
  playground_without_client: { error: 'not_found', cause: 'no client is registered for the playground' },

  // Identity providers
  provider_answered: providerFault('the identity provider answered with an error'),
  token_endpoint_answered: providerFault('the identity provider refused to redeem the code'),
  provider_failed: providerFault('the request to the identity provider failed'),
  auth_time_missing: providerFault('the identity provider did not send auth_time, which the client requires'),
  auth_time_too_old: providerFault('the sign-in at the identity provider is older than the client allows'),
  issuer_differs: {
    error: 'provider_failed',
    cause:
      'its metadata names another issuer; the issuer must be exactly the same, including a trailing slash',
    check: 'provider_issuer_matches',
    remedy: correctIssuer,
  },
  id_token_issuer_differs: {
    error: 'provider_failed',
    cause: 'its ID token names another issuer',
    check: 'provider_issuer_matches',
    remedy: correctIssuer,
  },
  response_issuer_differs: {
    error: 'provider_failed',
    cause: 'its authorization response names another issuer',
    check: 'provider_issuer_matches',
    remedy: correctIssuer,
  },
  id_token_missing: providerFault('it sent no ID token'),
  tenant_missing: providerFault('its ID token names no organization (tid)'),
  tenant_not_allowed: {
    error: 'provider_failed',
    cause: 'the account belongs to an organization that the provider’s settings do not allow',
    remedy: 'Add the organization to the identity provider, or let the user choose another account there.',
  },
  userinfo_refused: providerFault('its userinfo endpoint did not accept the access token'),
  signing_key_unusable: providerFault('the private key that signs its client secret cannot be used'),
  claims_malformed: providerFault('its claims have no usable subject'),
  provider_claims_too_large: {
    error: 'provider_failed',
    cause:
      'it sends more than 100 claims, or more than 6 kB of claims; let it send fewer claims to this server',
  },
  timeout: providerFault('it did not answer in time'),
  redirected: providerFault(
    'it answered with a redirect, which is not followed; use the address it leads to',
  ),
  content_type_not_json: providerFault(
    'it did not answer with JSON; is this the issuer, and not another page of it?',
  ),
  status_without_content: providerFault('its answer has no content'),
  content_encoded: providerFault('its answer is compressed, which was not requested'),
  provider_body_too_large: providerFault('its answer is too large'),
  url_malformed: providerFault('its metadata contains an address that is not valid'),
  scheme_not_allowed: providerFault('it names an address that is not https'),
  url_with_credentials: providerFault('it names an address with a user name or password in it'),
  url_with_fragment: providerFault('it names an address with a fragment'),
  port_not_allowed: providerFault('it names an address with a port other than 443 and the issuer’s own'),
  host_has_no_address: providerFault('its host has no address'),
  lookup_failed: providerFault('its host name could not be resolved'),
  provider_address_not_allowed: providerFault(
    'its host is an address in a private network, which this server never calls',
  ),
  ENOTFOUND: providerFault('its host name is unknown: check its spelling, or the DNS of this server'),
  EAI_AGAIN: providerFault('its host name could not be resolved just now: DNS did not answer'),
  ECONNREFUSED: providerFault('it refused the connection: no server listens at its host and port'),
  ECONNRESET: providerFault('it closed the connection without an answer'),
  ETIMEDOUT: providerFault('it did not accept the connection in time: check its address and the firewalls'),
  EPROTO: providerFault('it does not speak TLS at this address: is it http?'),
  ENETUNREACH: providerFault('its network cannot be reached from this server'),
  EHOSTUNREACH: providerFault('its host cannot be reached from this server'),
  CERT_HAS_EXPIRED: providerFault('its certificate has expired'),
  ERR_TLS_CERT_ALTNAME_INVALID: providerFault('its certificate is for another host'),
  DEPTH_ZERO_SELF_SIGNED_CERT: providerFault('its certificate is self-signed'),
  SELF_SIGNED_CERT_IN_CHAIN: providerFault('its certificate authority is not trusted by this server'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: providerFault('its certificate authority is not trusted by this server'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: providerFault('its certificate authority is not trusted by this server'),
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: providerFault(
    'its metadata names an issuer other than the requested one',
  ),
  OAUTH_RESPONSE_IS_NOT_CONFORM: providerFault('it has no metadata at this address'),
  OAUTH_PARSE_ERROR: providerFault('its answer is not JSON'),
  OAUTH_MISSING_SERVER_METADATA: providerFault('its metadata lacks an endpoint that a sign-in needs'),
  OAUTH_INVALID_SERVER_METADATA: providerFault('its metadata is malformed'),
  OAUTH_HTTP_REQUEST_FORBIDDEN: providerFault('it names an address that is not https'),
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: providerFault('it names an address that is not https'),
  OAUTH_INVALID_RESPONSE: providerFault('its answer lacks something that the protocol requires'),
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: providerFault(
    'its ID token is expired or not yet valid; compare the clocks',
  ),
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: providerFault(
    'issuer, audience or nonce of its ID token are not the expected ones',
  ),
  OAUTH_KEY_SELECTION_FAILED: providerFault('its ID token is signed with a key that it does not publish'),
  OAUTH_UNSUPPORTED_OPERATION: providerFault('it uses something that this server does not support'),
} as const satisfies Record<string, ReasonRow>

export type Reason = keyof typeof reasons

/** The reasons that refuse a request: they have a code for the wire. */
export type ErrorReason = {
  [R in Reason]: (typeof reasons)[R] extends { readonly error: ErrorCode } ? R : never
}[Reason]

/** The reasons with this code. */
export type ReasonFor<Code extends ErrorCode> = {
  [R in ErrorReason]: (typeof reasons)[R]['error'] extends Code ? R : never
}[ErrorReason]

export function reasonRow(reason: Reason): ReasonRow {
  return reasons[reason]
}

/** Parses a stored reason; `null` for a reason of another release. */
export function knownReason(text: string): Reason | null {
  return isReason(text) ? text : null
}

/** Whether requests are refused with this reason; other reasons are only recorded in events. */
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

/** Returns the `error_description` of a reason; `null`: the one of its code is used. */
export function wireTextOf(reason: Reason): string | null {
  const { wire = null, isCauseSent } = reasonRow(reason)
  return isCauseSent ? `${reasonRow(reason).cause}.` : wire
}

/** Returns the cause as a full sentence. */
export function causeSentence(reason: Reason): string {
  const { cause } = reasonRow(reason)
  return `${capitalized(cause)}${/[.?]$/.test(cause) ? '' : '.'}`
}
