/** What puts a refusal right, in one sentence, and where in the dashboard. */
import type { RequestCheck } from '#lib/protocol/request-checks.ts'

export type Advice = {
  readonly sentence: string
  readonly place: 'client' | 'secrets' | 'clients' | 'user' | null
}

type Row = readonly [sentence: string, place: Advice['place']]

const signInAgain = 'Nothing to put right here: the app must send the person to sign in again.'
const updateLibrary = 'Change it in the app, or update its OpenID Connect library.'

/** Where the reason says more than the check it comes from. */
const byReason: Readonly<Record<string, Row>> = {
  secret_wrong: [
    'Compare the secret in the app with the client’s; rotate it if nobody knows it any more.',
    'secrets',
  ],
  secrets_expired: ['Add a new secret and put it into the app.', 'secrets'],
  secret_missing: [
    'The app must send its secret; if it can’t keep one, register it as a public client.',
    'client',
  ],
  auth_method_differs: [
    'Send the secret the way the client is registered for, or change its token_endpoint_auth_method.',
    'client',
  ],
  client_disabled: ['Enable the client, if its app should work again.', 'client'],
  client_throttled: ['Wait a few minutes, and put the right secret into the app first.', 'secrets'],
  waiting_throttled: [
    'Wait a minute. If it meets everybody, set TRUST_PROXY: the proxy’s address counts for all of them.',
    null,
  ],
  secret_queue_full: [
    'Wait a moment. If it comes again, too many clients guess, or the server is too small.',
    null,
  ],
  password_queue_full: [
    'Wait a moment. If it comes again, somebody guesses, or the server is too small.',
    null,
  ],
  scope_missing: ['The app must name at least one scope.', null],
  scope_unknown: ['Define the scope, or correct its name in the app.', 'client'],
  scope_not_allowed: ['Allow the scope for the client, or ask for less.', 'client'],
  client_test_over: [
    'Begin the test again: each is answered once, within ten minutes, to who began it.',
    'clients',
  ],
  client_test_not_under_way: [
    'Begin the test again, from the set-up of the client. Apps use an address of their own.',
    'client',
  ],
  invalid_request: ['The app must send client_id and redirect_uri.', null],
  login_hint_names_another: [
    'Nothing to put right here: the app must let the person choose an account, or leave login_hint out.',
    null,
  ],
  no_way_to_sign_in: ['Allow passwords, or an identity provider that is enabled, for this client.', 'client'],
  unknown_user: ['Nothing to put right, unless the person should have an account.', 'user'],
  wrong_password: ['The person types their password again, or you reset it.', 'user'],
  account_disabled: ['Unlock the account, if the person should be let in.', 'user'],
  account_changed: [
    'Nothing to put right: the person signs in again, with the password that counts now.',
    'user',
  ],
  no_password: ['The person signs in at their provider, or you give them a password.', 'user'],
  user_service_refused: ['Ask your user service why it refused.', null],
  local_login_disabled: ['Allow passwords for this client, if people should sign in with one.', 'client'],
  request_expired: ['Nothing to put right: the person goes back to the app and starts again.', null],
  cookie_missing: [
    'The person allows cookies for this site. If it meets everybody, look whether a proxy drops Set-Cookie.',
    null,
  ],
  request_finished: ['Nothing to put right: the person goes back to the app, which has its answer.', null],
  unexpected: [
    'Look for this reference in the log: the failure stands there with its place in the code.',
    null,
  ],
  not_allowed: ['An owner can give this administrator another role.', null],
  address_not_allowed: [
    'If that was an administrator, add the address to LATCHKEY_ADMIN_ADDRESSES and start again. Behind a proxy it is right only with TRUST_PROXY.',
    null,
  ],
  not_an_administrator: ['An owner can invite this person.', null],
}

const byCheck: Readonly<Record<RequestCheck, Row>> = {
  request_read: ['The app must send each parameter once, and encode it as a form.', null],
  client_known: [
    'Register the client, or correct the client_id in the app. Is it the right environment?',
    'clients',
  ],
  client_enabled: ['Enable the client, if its app should work again.', 'client'],
  redirect_uri_registered: [
    'Add the address to the client if the app is yours, or correct it in the app.',
    'client',
  ],
  parameters_whole: [
    'The app must send each parameter once, encode it as a form and send less: most often state holds what belongs into the app’s own session.',
    null,
  ],
  sizes_fit: ['The app must send less.', null],
  features_supported: ['The app must do without request objects, request_uri and registration.', null],
  response_type_known: ['Use response_type=code.', null],
  response_type_allowed: ['Use response_type=code, or register the client for this one.', 'client'],
  response_mode_allowed: ['Leave response_mode out, or use fragment or form_post for tokens.', null],
  scopes_allowed: ['Allow the scope for the client, or ask for less.', 'client'],
  scopes_fit_response_type: ['Ask for openid, and only for what the response type can carry.', null],
  proof_key_right: [
    'The app must send code_challenge with code_challenge_method=S256: update its OpenID Connect library.',
    'client',
  ],
  nonce_present: [`The app must send a nonce. ${updateLibrary}`, null],
  prompt_right: [updateLibrary, null],
  max_age_right: [updateLibrary, null],
  person_may_go_on: ['Nothing to put right here: the app must let the person sign in and agree.', null],
  client_authenticated: ['Compare client id and secret in the app with what is registered here.', 'clients'],
  grant_type_known: ['Use a grant type that the discovery document lists.', null],
  grant_type_allowed: ['Allow the grant type for the client, if the app should have it.', 'client'],
  parameters_present: ['The app must send what is missing; its error_description names it.', null],
  client_keeps_secrets: [
    'Give the client a secret, or use the authorization code with a proof key.',
    'client',
  ],
  password_sign_in_allowed: ['Allow passwords for this client, or use the authorization code.', 'client'],
  code_known: ['The code may be cut off, or belong to another server or client.', null],
  code_not_spoilt: ['The app must start a new authorization request.', null],
  code_redirect_uri_same: ['The app must send the same redirect_uri to both endpoints.', null],
  code_verifier_right: [
    'The app must send the code_verifier of the very request: often two tabs, or a lost session of the app.',
    null,
  ],
  code_unused: [
    'The app redeemed one code twice, often by a reload of its callback. If it was not the app, somebody stole the code; its tokens are revoked.',
    null,
  ],
  code_in_time: ['The app must redeem the code as soon as the browser brings it.', 'client'],
  grant_live: [signInAgain, null],
  person_active: ['Unlock the account, if the person should be let in.', 'user'],
  scopes_left: ['Allow the scope for the client again, or ask for what was granted.', 'client'],
  refresh_token_known: [signInAgain, null],
  refresh_token_unused: [
    'The app must keep the newest refresh token only, and refresh once at a time.',
    null,
  ],
  refresh_token_in_time: [
    'The person must sign in again. Longer lifetimes are settings of the client.',
    'client',
  ],
  scopes_fit_grant: ['The app must leave out openid, other identity scopes and offline_access.', null],
  tries_left: ['Wait: the limit lifts by itself within minutes.', null],
  credentials_right: ['The person types their password again, or you reset it.', 'user'],
  extension_agreed: ['Ask whoever wrote the extension of this grant why it refused.', null],
}

/** `null` where nothing is known. */
export function adviceFor(reason: string | null, check: string | null): Advice | null {
  const row = byReason[reason ?? ''] ?? (check !== null && isKnown(check) ? byCheck[check] : undefined)
  return row === undefined ? null : { sentence: row[0], place: row[1] }
}

function isKnown(check: string): check is RequestCheck {
  return Object.hasOwn(byCheck, check)
}
