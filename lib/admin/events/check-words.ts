/** Each check of a request in words, passed and failed, with the standard that asks for it. */
import type { RequestCheck } from '#lib/protocol/request-checks.ts'

export type CheckWords = {
  /** What holds when it passed, and what is asked while it was not reached. */
  readonly text: string
  readonly failed: string
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

type Row = readonly [text: string, failed: string, source: Pick<CheckWords, 'standard' | 'href'>]

const words: Readonly<Record<RequestCheck, Row>> = {
  request_read: [
    'The request can be read, and nothing comes twice',
    'The request can’t be read, or something comes twice',
    rfc(6749, '3.1'),
  ],
  client_known: ['The client is registered', 'No client is registered under this id', rfc(6749, '2.2')],
  client_enabled: ['The client is enabled', 'The client is disabled', rfc(6749, '2.2')],
  redirect_uri_registered: [
    'The return address equals a registered one',
    'The return address equals no registered one',
    rfc(9700, '2.1'),
  ],
  parameters_whole: [
    'Each parameter comes once, can be read and isn’t too long',
    'A parameter comes twice, can’t be read or is too long',
    rfc(6749, '3.1'),
  ],
  sizes_fit: ['No parameter is longer than it may be', 'A parameter is too long', rfc(6749, '3.1')],
  features_supported: [
    'Nothing is asked for that this server doesn’t do',
    'Something is asked for that this server doesn’t do',
    oidc('6', 'JWTRequests'),
  ],
  response_type_known: [
    'The response type is known',
    'The response type is missing or unknown',
    rfc(6749, '3.1.1'),
  ],
  response_type_allowed: [
    'The client is registered for this response type',
    'The client isn’t registered for this response type',
    rfc(7591, '2'),
  ],
  response_mode_allowed: [
    'The answer may travel this way',
    'The answer may not travel this way',
    responseModes,
  ],
  scopes_allowed: [
    'Every scope is known and allowed for the client',
    'A scope is missing, unknown or not allowed for the client',
    rfc(6749, '3.3'),
  ],
  scopes_fit_response_type: [
    'The scopes fit the response type',
    'The scopes don’t fit the response type',
    oidc('3.1.2.1', 'AuthRequest'),
  ],
  proof_key_right: [
    'The proof key is there, by a method the client may use',
    'The proof key is missing, malformed or by another method',
    rfc(7636, '4.3'),
  ],
  nonce_present: [
    'A nonce ties the answer to the request',
    'No nonce ties the answer to the request',
    oidc('3.2.2.1', 'ImplicitAuthRequest'),
  ],
  prompt_right: [
    'prompt holds known words that go together',
    'prompt holds words that are unknown or don’t go together',
    oidc('3.1.2.1', 'AuthRequest'),
  ],
  max_age_right: [
    'max_age is a number of seconds',
    'max_age is no number of seconds',
    oidc('3.1.2.1', 'AuthRequest'),
  ],
  person_may_go_on: [
    'The person is signed in and agrees, or may be asked',
    'The person isn’t signed in or doesn’t agree, or may not be asked',
    oidc('3.1.2.3', 'Authenticates'),
  ],
  client_authenticated: [
    'The client proved who it is',
    'The client couldn’t prove who it is',
    rfc(6749, '2.3'),
  ],
  grant_type_known: ['The grant type is known', 'The grant type is missing or unknown', rfc(6749, '4.5')],
  grant_type_allowed: [
    'The client may use this grant type',
    'The client may not use this grant type',
    rfc(7591, '2'),
  ],
  parameters_present: [
    'Everything this grant needs is there',
    'Something this grant needs is missing',
    rfc(6749, '5.2'),
  ],
  client_keeps_secrets: ['The client can keep a secret', 'The client can’t keep a secret', rfc(6749, '2.1')],
  password_sign_in_allowed: [
    'The client lets people sign in with a password here',
    'The client doesn’t let people sign in with a password here',
    rfc(6749, '4.3'),
  ],
  code_known: [
    'The code is known, and was issued to this client',
    'The code is unknown, or was issued to another client',
    rfc(6749, '4.1.3'),
  ],
  code_not_spoilt: [
    'The code wasn’t tried wrongly too often',
    'The code was tried wrongly too often',
    rfc(9700, '4.5'),
  ],
  code_redirect_uri_same: [
    'The return address is that of the authorization request',
    'The return address isn’t that of the authorization request',
    rfc(6749, '4.1.3'),
  ],
  code_verifier_right: [
    'The code verifier fits the code challenge',
    'The code verifier doesn’t fit the code challenge',
    rfc(7636, '4.6'),
  ],
  code_unused: ['The code wasn’t used before', 'The code was used before', rfc(6749, '4.1.2')],
  code_in_time: ['The code hasn’t expired', 'The code has expired', rfc(6749, '4.1.2')],
  grant_live: ['What was granted still holds', 'What was granted was ended or has expired', rfc(6749, '5.2')],
  person_active: ['The person may still sign in', 'The person may not sign in any more', rfc(6749, '5.2')],
  scopes_left: [
    'The client may still have what it asks for',
    'The client may not have what it asks for any more, or never did',
    rfc(6749, '6'),
  ],
  refresh_token_known: [
    'The refresh token is known, and belongs to this client',
    'The refresh token is unknown or revoked, or belongs to another client',
    rfc(6749, '6'),
  ],
  refresh_token_unused: [
    'The refresh token wasn’t used before',
    'The refresh token was used before',
    rfc(9700, '4.14.2'),
  ],
  refresh_token_in_time: [
    'The refresh token hasn’t expired',
    'The refresh token has expired',
    rfc(6749, '6'),
  ],
  scopes_fit_grant: ['The scopes fit the grant', 'The scopes don’t fit the grant', rfc(6749, '3.3')],
  tries_left: ['There weren’t too many tries', 'There were too many tries', rfc(6749, '10.10')],
  credentials_right: [
    'User name and password are right',
    'User name or password is wrong, or couldn’t be checked',
    rfc(6749, '4.3.2'),
  ],
  extension_agreed: ['The extension agreed', 'The extension refused', rfc(6749, '4.5')],
}

/** A check of another release is shown by its name. */
export function checkWords(check: string): CheckWords {
  if (!isKnown(check)) {
    const text = check.replaceAll('_', ' ')
    return { text, failed: text, standard: '', href: '' }
  }
  const [text, failed, source] = words[check]
  return { text, failed, ...source }
}

function isKnown(check: string): check is RequestCheck {
  return Object.hasOwn(words, check)
}
