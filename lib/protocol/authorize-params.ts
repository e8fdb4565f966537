/** The parameters of an authorization request (RFC 6749 4.1.1, OpenID Connect Core 3.1.2.1, RFC 7636 4.3). */
import type { Parameters } from './parameters.ts'

const names = [
  'client_id',
  'scope',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'nonce',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'ui_locales',
  'acr_values',
  'code_challenge',
  'code_challenge_method',
  // Known only to be refused, see OpenID Connect Core 6 and 7.2.1
  'request',
  'request_uri',
  'registration',
] as const

type AuthorizeParameterName = (typeof names)[number]

/** Absent and empty are the same: both have no member here. */
export type AuthorizeParameters = Readonly<Partial<Record<AuthorizeParameterName, string>>>

/** Keeps what an authorization request is made of. Unknown and empty parameters do not exist (RFC 6749 3.1). */
export function readAuthorizeParameters(parameters: Parameters): AuthorizeParameters {
  const known: Partial<Record<AuthorizeParameterName, string>> = {}
  for (const name of names) {
    const value = parameters.one(name)
    if (value !== null) known[name] = value
  }
  return known
}
