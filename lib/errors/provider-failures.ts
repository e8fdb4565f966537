/** The reasons why an identity provider failed, for the admin who configures it. Users do not see them. */
import type { Evidence } from './checks.ts'
import type { OauthError } from './oauth-error.ts'
import { causeSentence, type Reason } from './reasons.ts'

/** The provider's own error codes, with their meaning for its configuration. */
const answers: Readonly<Record<string, string>> = {
  access_denied: 'The sign-in was declined there.',
  user_cancelled_authorize: 'The user canceled there.',
  user_cancelled_login: 'The user canceled there.',
  invalid_client: 'It did not accept the client ID and secret.',
  incorrect_client_credentials: 'It did not accept the client ID and secret.',
  bad_verification_code: 'It did not accept the code, which works once and for ten minutes.',
  redirect_uri_mismatch: 'Another redirect URI is registered there.',
  unauthorized_client: 'It does not allow this client to sign users in with a code.',
  invalid_grant: 'It did not accept the code. Check the redirect URI that is registered there.',
  invalid_scope: 'It does not support one of the scopes openid, profile and email.',
  invalid_request: 'It found a fault in the request. Check the redirect URI that is registered there.',
  server_error: 'It had an internal error.',
  temporarily_unavailable: 'It is not available just now.',
}

export type ProviderFailure = {
  readonly reason: Reason
  /**
   * The error code in the provider's response, or for `provider_failed` the code of the failed request; `null` if the
   * reason says everything.
   */
  readonly answer: string | null
  /** A value of the provider that differs from the registered one, such as its issuer. */
  readonly mismatch?: Evidence
}

export function failureOf({ reason, evidence }: OauthError): ProviderFailure {
  if (evidence?.expected !== undefined) return { reason, answer: null, mismatch: evidence }
  return { reason, answer: evidence?.sent ?? null }
}

/** RFC 6749 4.1.2.1; the others are those of Apple and LinkedIn. */
const canceledCodes = ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login']

/** Whether the user canceled at the provider, which is not a failure. */
export function isCanceledByUser({ reason, evidence }: OauthError): boolean {
  return reason === 'provider_answered' && canceledCodes.includes(evidence?.sent ?? '')
}

export function providerFailureSentence({ reason, answer, mismatch }: ProviderFailure): string {
  if (mismatch !== undefined) return `${causeSentence(reason)} ${valuesSentence(mismatch)}`
  if (answer === null) return causeSentence(reason)
  if (reason === 'provider_failed') return `A request to it failed (${answer}).`
  return answers[answer] ?? `It answered with the error "${answer}".`
}

function valuesSentence({ sent, expected = [] }: Evidence): string {
  const named = sent === undefined ? 'It names none' : `It names ${sent}`
  return `${named}; registered is ${expected.join(', ')}.`
}
