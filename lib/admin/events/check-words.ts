/** Each check of a request in words, with the standard that requires it. Why one failed is the reason of its event. */
import type { RequestCheck } from '#lib/protocol/wire/request-checks.ts'

export type CheckWords = {
  /** The condition that the check requires. */
  readonly text: string
  readonly standard: string
  readonly href: string
}

const rfc = (number: number, section: string) => ({
  standard: `RFC ${number} §${section}`,
  href: `https://www.rfc-editor.org/rfc/rfc${number}.html#section-${section}`,
})
const oidc = (section: string, anchor: string) => ({
  standard: `OpenID Connect Core §${section}`,
  href: `https://openid.net/specs/openid-connect-core-1_0.html#${anchor}`,
})
const responseModes = {
  standard: 'OAuth 2.0 Multiple Response Types §5',
  href: 'https://openid.net/specs/oauth-v2-multiple-response-types-1_0.html#ResponseModes',
}

type Row = readonly [text: string, source: Pick<CheckWords, 'standard' | 'href'>]

const words: Readonly<Record<RequestCheck, Row>> = {
  request_read: ['The request is readable, with no repeated parameter', rfc(6749, '3.1')],
  client_known: ['The client is registered', rfc(6749, '2.2')],
  client_enabled: ['The client is enabled', rfc(6749, '2.2')],
  redirect_uri_registered: ['redirect_uri is registered', rfc(9700, '2.1')],
  parameters_well_formed: ['Each parameter is sent once, readable and not too long', rfc(6749, '3.1')],
  features_supported: ['No unsupported feature is requested', oidc('6', 'JWTRequests')],
  response_type_known: ['response_type is known', rfc(6749, '3.1.1')],
  response_type_allowed: ['The client is registered for this response type', rfc(7591, '2')],
  response_mode_allowed: ['Response mode is allowed', responseModes],
  scopes_allowed: ['Every scope is known and allowed for the client', rfc(6749, '3.3')],
  scopes_fit_response_type: ['The scopes fit the response type', oidc('3.1.2.1', 'AuthRequest')],
  code_challenge_valid: ['code_challenge is present, with an allowed method', rfc(7636, '4.3')],
  nonce_present: ['nonce is present where it is required', oidc('3.2.2.1', 'ImplicitAuthRequest')],
  prompt_valid: ['prompt contains known values that fit together', oidc('3.1.2.1', 'AuthRequest')],
  max_age_valid: ['max_age is a number of seconds', oidc('3.1.2.1', 'AuthRequest')],
  user_may_continue: [
    'The user is signed in and consents, or may be asked',
    oidc('3.1.2.3', 'Authenticates'),
  ],
  client_authenticated: ['The client is authenticated', rfc(6749, '2.3')],
  grant_type_known: ['grant_type is known', rfc(6749, '4.5')],
  grant_type_allowed: ['The client may use this grant type', rfc(7591, '2')],
  parameters_present: ['Every required parameter is present', rfc(6749, '5.2')],
  client_is_confidential: ['The client is confidential', rfc(6749, '2.1')],
  password_sign_in_allowed: ['The client allows signing in with a password', rfc(6749, '4.3')],
  code_known: ['The code is known and was issued to this client', rfc(6749, '4.1.3')],
  code_attempts_not_exceeded: ['Not too many failed attempts', rfc(9700, '4.5')],
  code_redirect_uri_matches: ['redirect_uri is that of the authorization request', rfc(6749, '4.1.3')],
  code_verifier_correct: ['code_verifier matches code_challenge', rfc(7636, '4.6')],
  code_unused: ['The code was not used before', rfc(6749, '4.1.2')],
  code_not_expired: ['The code has not expired', rfc(6749, '4.1.2')],
  grant_live: ['The grant is active', rfc(6749, '5.2')],
  user_active: ['The account is active', rfc(6749, '5.2')],
  scopes_still_allowed: ['The requested scopes are granted and still allowed', rfc(6749, '6')],
  refresh_token_known: ['The refresh token is known and belongs to this client', rfc(6749, '6')],
  refresh_token_unused: ['The refresh token was not used before', rfc(9700, '4.14.2')],
  refresh_token_not_expired: ['The refresh token has not expired', rfc(6749, '6')],
  scopes_fit_grant: ['The scopes fit the grant', rfc(6749, '3.3')],
  rate_limit_not_exceeded: ['Rate limit not exceeded', rfc(6749, '10.10')],
  credentials_correct: ['User name and password are right', rfc(6749, '4.3.2')],
  extension_accepted: ['The extension accepts the request', rfc(6749, '4.5')],
}

/** A check of another release is shown by its name. */
export function checkWords(check: string): CheckWords {
  if (!isKnown(check)) return { text: check.replaceAll('_', ' '), standard: '', href: '' }
  const [text, source] = words[check]
  return { text, ...source }
}

function isKnown(check: string): check is RequestCheck {
  return Object.hasOwn(words, check)
}
