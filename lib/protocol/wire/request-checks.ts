/** The checks of a request by name, in their order; a request trace lists them. */

/** At the authorization endpoint. `validate.ts` runs those between the redirect URI and the person. */
export const authorizeChecks = [
  'request_read',
  'client_known',
  'client_enabled',
  'redirect_uri_registered',
  'parameters_whole',
  'features_supported',
  'response_type_known',
  'response_type_allowed',
  'response_mode_allowed',
  'scopes_allowed',
  'scopes_fit_response_type',
  'code_challenge_valid',
  'nonce_present',
  'prompt_right',
  'max_age_right',
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
    'code_attempts_left',
    'code_redirect_uri_same',
    'code_verifier_right',
    'code_unused',
    'code_in_time',
    'grant_live',
    'user_active',
    'scopes_left',
  ],
  refresh_token: [
    'parameters_present',
    'refresh_token_known',
    'grant_live',
    'refresh_token_unused',
    'user_active',
    'scopes_left',
    'refresh_token_in_time',
  ],
  client_credentials: ['client_keeps_secrets', 'scopes_allowed', 'scopes_fit_grant'],
  password: [
    'parameters_present',
    'client_keeps_secrets',
    'password_sign_in_allowed',
    'scopes_allowed',
    'attempts_left',
    'credentials_right',
    'user_active',
  ],
  custom: ['scopes_allowed', 'extension_agreed', 'scopes_fit_grant', 'user_active'],
} as const

export type TokenCheck =
  | (typeof callerChecks)[number]
  | (typeof grantChecks)[keyof typeof grantChecks][number]

export type RequestCheck = AuthorizeCheck | TokenCheck
