/** The closed lists of words in the protocol and the configuration. Only grant types can have others. */

export const responseModes = ['query', 'fragment', 'form_post'] as const
export type ResponseMode = (typeof responseModes)[number]

/** `create`: OpenID Connect Prompt Create 1.0, only while users can create accounts. */
export const prompts = ['none', 'login', 'consent', 'select_account', 'create'] as const
export type Prompt = (typeof prompts)[number]

export const codeChallengeMethods = ['plain', 'S256'] as const
export type CodeChallengeMethod = (typeof codeChallengeMethods)[number]

/**
 * The endpoints that an operator can turn off, with their member of the metadata; `null`: not in the metadata.
 * `discovery`: the metadata and the key set.
 */
export const endpointMembers = {
  authorize: 'authorization_endpoint',
  token: 'token_endpoint',
  userinfo: 'userinfo_endpoint',
  revocation: 'revocation_endpoint',
  introspect: 'introspection_endpoint',
  endsession: 'end_session_endpoint',
  accesstokenvalidation: null,
  identitytokenvalidation: null,
  discovery: null,
} as const
export type EndpointName = keyof typeof endpointMembers
export const endpointNames: readonly EndpointName[] = Object.keys(endpointMembers).filter(isEndpointName)

export function isEndpointName(name: string): name is EndpointName {
  return Object.hasOwn(endpointMembers, name)
}

type GrantTypeRow = { readonly label: string; readonly endpoints: readonly EndpointName[] }

/** The grants that Latchkey implements, and the endpoints that they need. A client may also name custom ones. */
export const builtInGrantTypes = {
  authorization_code: { label: 'Authorization code', endpoints: ['authorize', 'token'] },
  implicit: { label: 'Implicit (legacy)', endpoints: ['authorize'] },
  client_credentials: { label: 'Client credentials', endpoints: ['token'] },
  password: { label: 'Password (legacy)', endpoints: ['token'] },
  refresh_token: { label: 'Refresh token', endpoints: ['token'] },
} as const satisfies Readonly<Record<string, GrantTypeRow>>
export type BuiltInGrantType = keyof typeof builtInGrantTypes
export const grantTypes: readonly BuiltInGrantType[] =
  Object.keys(builtInGrantTypes).filter(isBuiltInGrantType)

export function isBuiltInGrantType(name: string): name is BuiltInGrantType {
  return Object.hasOwn(builtInGrantTypes, name)
}

/** The parts of an authorization response (OAuth 2.0 Multiple Response Types 3 to 5). */
export const responseParts = ['code', 'idToken', 'token'] as const
export type ResponsePart = (typeof responseParts)[number]

type ResponseTypeRow = Readonly<Record<ResponsePart, boolean>> & {
  /** The grant types that a client must have, all of them. */
  readonly grantTypes: readonly BuiltInGrantType[]
  readonly label: string
}

/**
 * Every supported `response_type`, with the words in the order of the standard. Rules follow from the parts: PKCE
 * protects a code, an ID token in the response needs a `nonce`, and no token may be in a query.
 */
export const responseTypes = {
  code: { code: true, idToken: false, token: false, grantTypes: ['authorization_code'], label: 'Code' },
  token: {
    code: false,
    idToken: false,
    token: true,
    grantTypes: ['implicit'],
    label: 'Access token (legacy)',
  },
  id_token: {
    code: false,
    idToken: true,
    token: false,
    grantTypes: ['implicit'],
    label: 'ID token (legacy)',
  },
  'id_token token': {
    code: false,
    idToken: true,
    token: true,
    grantTypes: ['implicit'],
    label: 'ID token and access token (legacy)',
  },
  'code id_token': {
    code: true,
    idToken: true,
    token: false,
    grantTypes: ['authorization_code', 'implicit'],
    label: 'Code and ID token (hybrid)',
  },
  'code token': {
    code: true,
    idToken: false,
    token: true,
    grantTypes: ['authorization_code', 'implicit'],
    label: 'Code and access token (hybrid, legacy)',
  },
  'code id_token token': {
    code: true,
    idToken: true,
    token: true,
    grantTypes: ['authorization_code', 'implicit'],
    label: 'Code, ID token and access token (hybrid, legacy)',
  },
  // OAuth 2.0 Multiple Response Types 4: the client learns only that the user agreed
  none: {
    code: false,
    idToken: false,
    token: false,
    grantTypes: ['authorization_code'],
    label: 'No token',
  },
} as const satisfies Readonly<Record<string, ResponseTypeRow>>
export type ResponseType = keyof typeof responseTypes
export const responseTypeNames: readonly ResponseType[] = Object.keys(responseTypes).filter(isResponseType)

function isResponseType(name: string): name is ResponseType {
  return Object.hasOwn(responseTypes, name)
}

/** Returns the parts of a response type, and the grants that a client needs for it. */
export function responseTypeRow(type: ResponseType): ResponseTypeRow {
  return responseTypes[type]
}

/** Whether the client can receive an ID token, in the response or for its code, or after a later request. */
export function leadsToIdToken(type: ResponseType): boolean {
  return responseTypeRow(type).idToken || leadsToTokens(type)
}

/** Whether the client can receive an access token, in the response or for its code, or after a later request. */
export function leadsToAccessToken(type: ResponseType): boolean {
  return responseTypeRow(type).token || leadsToTokens(type)
}

/** Whether any token can follow. A response without parts only prepares requests for them, which need no page. */
function leadsToTokens(type: ResponseType): boolean {
  const { code, idToken, token } = responseTypeRow(type)
  return code || !(idToken || token)
}

export const tokenEndpointAuthMethods = ['client_secret_basic', 'client_secret_post', 'none'] as const
export type TokenEndpointAuthMethod = (typeof tokenEndpointAuthMethods)[number]

/**
 * The ways to request a new sign-in from a provider: `auth_time` and `prompt` by `prompt=login` and `max_age`,
 * `select_account` by `prompt=select_account`. With `auth_time` the provider must report the time of the sign-in, if
 * the client limits its age; otherwise the time of the callback counts when none is reported.
 */
export const reauthentications = ['prompt', 'auth_time', 'select_account'] as const
export type Reauthentication = (typeof reauthentications)[number]

export const accessTokenTypes = ['jwt', 'reference'] as const

/**
 * The formats of access tokens. `rfc9068-jwt`: the claims of RFC 9068 in a JWT with the general `typ`, for APIs that
 * refuse `at+jwt`.
 */
export const accessTokenFormats = ['rfc9068', 'rfc9068-jwt', 'identityserver3'] as const
export type AccessTokenFormat = (typeof accessTokenFormats)[number]

/**
 * The policies for PKCE. `s256-or-nonce`: a request without PKCE needs a `nonce` and the scope `openid` (RFC 9700
 * 2.1.1).
 */
export const pkcePolicies = ['required-s256', 's256-or-nonce', 'required', 'optional'] as const
export type PkcePolicy = (typeof pkcePolicies)[number]

export const signingAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const
export type SigningAlgorithm = (typeof signingAlgorithms)[number]

/**
 * The cases in which a user must confirm a sign-out that a client requests. `without-hint`: unless an `id_token_hint`
 * proves which user is signed out. `if-required`: only for clients that require it. A request with an ignored parameter
 * always needs confirmation.
 */
export const signOutPrompts = ['always', 'without-hint', 'if-required'] as const
export type SignOutPrompt = (typeof signOutPrompts)[number]

export const scopeKinds = ['identity', 'resource'] as const
export type ScopeKind = (typeof scopeKinds)[number]

/** The name of the local user store, used like the name of a provider: in the `idp` claim and in `acr_values=idp:`. */
export const localProvider = 'latchkey'
/** The first factor of a sign-in, as the cookie of the sign-in page names it. */
export type Way = 'password' | 'passkey' | `provider:${string}`

export function wayOfProvider(scheme: string): Way {
  return `provider:${scheme}`
}

/** The name of the local user store in IdentityServer3. */
export const localProviderOfIdentityServer3 = 'idsrv'

/** The authentication method of a password (RFC 8176 2). */
export const passwordMethod = 'pwd'
export const passwordMethodOfIdentityServer3 = 'password'
