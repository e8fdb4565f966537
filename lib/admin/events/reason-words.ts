/** The tagged reasons of events in words, as the end of a sentence. */
import { explanationOf } from '#lib/errors/explanations.ts'

const words: Readonly<Record<string, string>> = {
  redirect_uri_mismatch: 'its return address is not registered',
  unknown_client: 'no enabled client has this id',
  invalid_request: 'a parameter is missing or malformed',
  not_signed_in: 'nobody was signed in',
  login_required: 'nobody was signed in, and the app forbade to ask',
  session_too_old: 'the last sign-in was too long ago for this app',
  prompt_login: 'the app wants a fresh sign-in',
  prompt_consent: 'the app wants consent again',
  consent_needed: 'consent was not given yet',
  consent_denied: 'the person did not allow it',
  cancelled: 'the person turned back',
  scope_missing: 'it asked for no scope',
  scope_unknown: 'it asked for a scope that does not exist',
  scope_not_allowed: 'it asked for a scope it may not have',
  response_type_missing: 'it did not say what it wants back',
  response_type_unknown: 'it wants something back that does not exist',
  response_type_not_allowed: 'it is not registered for this response type',
  challenge_missing: 'the proof key is missing',
  nonce_missing: 'the nonce is missing',
  user_service_refused: 'user name and password do not match',
  refused: 'user name and password do not match',
  wrong_credentials: 'its secret is wrong or has expired',
  no_credentials: 'it sent no credentials',
  client_throttled: 'it guessed too often',
  sign_in_throttled: 'there were too many tries',
  not_allowed: 'the role does not allow it',
  not_an_administrator: 'they administer nothing here',
  scope_missing_admin: 'the token does not open the dashboard',
  invitation_unknown: 'the link was used, or is too old',
}

/** Without a capital and a full stop. A reason without words of its own is told by its name. */
export function reasonWords(reason: string): string {
  const explained = words[reason] ?? explanationOf(reason)
  if (explained === null || explained === undefined) return reason.replaceAll('_', ' ')
  return explained.replace(/\.$/, '')
}
