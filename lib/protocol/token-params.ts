/** The parameters of the token endpoint, in the order of RFC 6749 4 to 6, and of its neighbours. */
const names = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'redirect_uri',
  'code_verifier',
  'scope',
  'username',
  'password',
  'acr_values',
  'refresh_token',
  // RFC 7009 2.1 and RFC 7662 2.1
  'token',
  'token_type_hint',
] as const

export type TokenParameterName = (typeof names)[number]

/** A form as it came, each name once. Custom grants may define names of their own. */
export type FormParameters = Readonly<Record<string, string>>

/** The value of a parameter; `null` when it is absent or empty, which are the same (RFC 6749 3.1). */
export function givenParameter(parameters: FormParameters, name: TokenParameterName): string | null {
  const value = parameters[name]
  return value === undefined || value === '' ? null : value
}
