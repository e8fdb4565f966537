/** The closed word lists of the wire. A word that is not here does not exist for us. */

export const responseTypes = ['code', 'token', 'id_token', 'id_token token'] as const
export type ResponseType = (typeof responseTypes)[number]

export const responseModes = ['query', 'fragment', 'form_post'] as const
export type ResponseMode = (typeof responseModes)[number]

export const prompts = ['none', 'login', 'consent', 'select_account'] as const
export type Prompt = (typeof prompts)[number]

export const codeChallengeMethods = ['plain', 'S256'] as const
export type CodeChallengeMethod = (typeof codeChallengeMethods)[number]

/** The grants Latchkey implements itself, with their labels; a client may also name custom ones. */
export const grantTypeLabels = {
  authorization_code: 'Authorization code',
  implicit: 'Implicit (legacy)',
  client_credentials: 'Client credentials',
  password: 'Password (legacy)',
  refresh_token: 'Refresh token',
} as const
export type BuiltInGrantType = keyof typeof grantTypeLabels
export const grantTypes: readonly string[] = Object.keys(grantTypeLabels)

export const tokenEndpointAuthMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const
export type TokenEndpointAuthMethod = (typeof tokenEndpointAuthMethods)[number]

/**
 * How a provider is asked for a new sign-in: `auth_time` and `prompt` by `prompt=login` and `max_age`, `select_account` by
 * `prompt=select_account`. Only with `auth_time` must it report when the user signed in; otherwise the time of the callback counts.
 */
export const reauthentications = ['prompt', 'auth_time', 'select_account'] as const
export type Reauthentication = (typeof reauthentications)[number]

export const accessTokenTypes = ['jwt', 'reference'] as const

export const accessTokenFormats = ['rfc9068', 'identityserver3'] as const
export type AccessTokenFormat = (typeof accessTokenFormats)[number]

export const pkcePolicies = ['required-s256', 'required', 'optional'] as const
export type PkcePolicy = (typeof pkcePolicies)[number]

export const signingAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const
export type SigningAlgorithm = (typeof signingAlgorithms)[number]

/** The endpoints that an operator can turn off, as in their paths. `discovery`: the metadata and the key set. */
export const endpointNames = [
  'authorize',
  'token',
  'userinfo',
  'revocation',
  'introspect',
  'endsession',
  'accesstokenvalidation',
  'identitytokenvalidation',
  'discovery',
] as const
export type EndpointName = (typeof endpointNames)[number]

/** When a user must confirm a sign-out that a client asks for: always, without proof by `id_token_hint`, or only for clients that require it. */
export const signOutPrompts = ['always', 'without-hint', 'if-required'] as const
export type SignOutPrompt = (typeof signOutPrompts)[number]

export const scopeKinds = ['identity', 'resource'] as const
export type ScopeKind = (typeof scopeKinds)[number]

/** The name of the local user store where the name of a provider is expected: the `idp` claim and `acr_values=idp:`. */
export const localProvider = 'latchkey'
/** What both are called in IdentityServer3. */
export const localProviderOfIdentityServer3 = 'idsrv'

/** RFC 8176 2: a sign-in with a password, and what IdentityServer3 calls it. */
export const passwordMethod = 'pwd'
export const passwordMethodOfIdentityServer3 = 'password'
