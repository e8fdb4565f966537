/** Each check of a request in words, with the standard that asks for it. */
import type { RequestCheck } from '#lib/protocol/request-checks.ts'

export type CheckWords = { readonly text: string; readonly standard: string; readonly href: string }

const rfc = (number: number, section: string) => ({
  standard: `RFC ${number} §${section}`,
  href: `https://www.rfc-editor.org/rfc/rfc${number}.html#section-${section}`,
})
const oidc = (section: string, anchor: string) => ({
  standard: `OpenID Connect Core §${section}`,
  href: `https://openid.net/specs/openid-connect-core-1_0.html#${anchor}`,
})

const words: Readonly<Record<RequestCheck, CheckWords>> = {
  request_read: { text: 'The request can be read, and nothing comes twice', ...rfc(6749, '3.1') },
  client_known: { text: 'The client is known', ...rfc(6749, '2.2') },
  client_enabled: { text: 'The client is enabled', ...rfc(6749, '2.2') },
  redirect_uri_registered: { text: 'The return address equals a registered one', ...rfc(9700, '2.1') },
  sizes_fit: { text: 'No parameter is longer than it may be', ...rfc(6749, '3.1') },
  features_supported: {
    text: 'Nothing is asked for that this server does not do',
    ...oidc('6', 'JWTRequests'),
  },
  response_type_known: { text: 'The response type is known', ...rfc(6749, '3.1.1') },
  response_type_allowed: { text: 'The client is registered for this response type', ...rfc(7591, '2') },
  response_mode_allowed: {
    text: 'The answer may travel this way',
    standard: 'OAuth 2.0 Multiple Response Types §5',
    href: 'https://openid.net/specs/oauth-v2-multiple-response-types-1_0.html#ResponseModes',
  },
  scopes_allowed: { text: 'Every scope is known and allowed for the client', ...rfc(6749, '3.3') },
  scopes_fit_response_type: { text: 'The scopes fit the response type', ...oidc('3.1.2.1', 'AuthRequest') },
  proof_key_right: { text: 'The proof key is there, by a method the client may use', ...rfc(7636, '4.3') },
  nonce_present: {
    text: 'A nonce ties the answer to the request',
    ...oidc('3.2.2.1', 'ImplicitAuthRequest'),
  },
  prompt_right: { text: 'prompt holds known words that go together', ...oidc('3.1.2.1', 'AuthRequest') },
  max_age_right: { text: 'max_age is a number of seconds', ...oidc('3.1.2.1', 'AuthRequest') },
  person_may_go_on: {
    text: 'The person is signed in, agrees, and nothing forbids to ask',
    ...oidc('3.1.2.3', 'Authenticates'),
  },
  client_authenticated: { text: 'The client proved who it is', ...rfc(6749, '2.3') },
  grant_type_known: { text: 'The grant type is known', ...rfc(6749, '4.5') },
  grant_type_allowed: { text: 'The client may use this grant type', ...rfc(7591, '2') },
  parameters_present: { text: 'Nothing that the grant type needs is missing', ...rfc(6749, '4') },
  scopes_fit_grant: { text: 'The scopes fit the grant type', ...rfc(6749, '3.3') },
  extension_agreed: { text: 'The extension for this grant type agrees', ...rfc(6749, '4.5') },
  client_keeps_secrets: { text: 'The client can keep a secret', ...rfc(6749, '2.1') },
  password_sign_in_allowed: {
    text: 'The client lets people sign in with a password here',
    ...rfc(6749, '4.3'),
  },
  code_known: { text: 'The code is known, and was issued to this client', ...rfc(6749, '4.1.3') },
  code_not_spoilt: { text: 'The code was not tried wrongly too often', ...rfc(9700, '4.5') },
  code_redirect_uri_same: {
    text: 'The return address is the one of the authorization request',
    ...rfc(6749, '4.1.3'),
  },
  code_verifier_right: { text: 'The code verifier fits the code challenge', ...rfc(7636, '4.6') },
  code_unused: { text: 'The code was not used before', ...rfc(6749, '4.1.2') },
  code_in_time: { text: 'The code has not expired', ...rfc(6749, '4.1.2') },
  grant_live: { text: 'What was granted still holds', ...rfc(6749, '5.2') },
  person_active: { text: 'The person may still sign in', ...rfc(6749, '5.2') },
  scopes_left: { text: 'The client may still have what was granted', ...rfc(6749, '6') },
  refresh_token_known: { text: 'The refresh token is known, and belongs to this client', ...rfc(6749, '6') },
  refresh_token_unused: { text: 'The refresh token was not used before', ...rfc(9700, '4.14.2') },
  refresh_token_in_time: { text: 'The refresh token has not expired', ...rfc(6749, '6') },
  tries_left: { text: 'There were not too many tries', ...rfc(6749, '10.10') },
  credentials_right: { text: 'User name and password are right', ...rfc(6749, '4.3.2') },
}

const byName: ReadonlyMap<string, CheckWords> = new Map(Object.entries(words))

/** A check of a newer release is shown by its name. */
export function checkWords(check: string): CheckWords {
  return byName.get(check) ?? { text: check.replaceAll('_', ' '), standard: '', href: '' }
}
