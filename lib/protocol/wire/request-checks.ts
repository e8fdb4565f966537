/** The checks of a request by name, in their order; a request trace lists them. */

/** At the authorization endpoint. `validate.ts` runs those between the redirect URI and the user. */
export const authorizeChecks = [
  'request_read',
  'client_known',
  'client_enabled',
  'redirect_uri_registered',
  'parameters_well_formed',
  'features_supported',
  'response_type_known',
  'response_type_allowed',
  'response_mode_allowed',
  'scopes_allowed',
  'scopes_fit_response_type',
  'code_challenge_valid',
  'nonce_present',
  'prompt_valid',
  'max_age_valid',
  'user_may_continue',
] as const

export type AuthorizeCheck = (typeof authorizeChecks)[number]

/** At the token endpoint, whatever the grant. */
export const callerChecks = [
  'request_read',
  'client_authenticated',
  'grant_type_known',
  'grant_type_allowed',
] as const

/** What each grant checks then. `custom` is every grant of an extension. */
export const grantChecks = {
  authorization_code: [
    'parameters_present',
    'code_known',
    'code_attempts_not_exceeded',
    'code_redirect_uri_matches',
    'code_verifier_correct',
    'code_unused',
    'code_not_expired',
    'grant_live',
    'user_active',
    'scopes_still_allowed',
  ],
  refresh_token: [
    'parameters_present',
    'refresh_token_known',
    'grant_live',
    'refresh_token_unused',
    'user_active',
    'scopes_still_allowed',
    'refresh_token_not_expired',
  ],
  client_credentials: ['client_is_confidential', 'scopes_allowed', 'scopes_fit_grant'],
  password: [
    'parameters_present',
    'client_is_confidential',
    'password_sign_in_allowed',
    'scopes_allowed',
    'rate_limit_not_exceeded',
    'credentials_correct',
    'user_active',
  ],
  custom: ['scopes_allowed', 'extension_accepted', 'scopes_fit_grant', 'user_active'],
} as const

export type TokenCheck =
  | (typeof callerChecks)[number]
  | (typeof grantChecks)[keyof typeof grantChecks][number]

export type RequestCheck = AuthorizeCheck | TokenCheck
