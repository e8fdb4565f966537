/** A registered client as the core sees it. `client-metadata.ts` reads it from its wire form. */
import type { Claims } from './claims.ts'
import type { ClientId, ProviderScheme, ScopeName } from './ids.ts'
import type {
  AccessTokenType,
  PkcePolicy,
  ResponseType,
  SigningAlgorithm,
  TokenEndpointAuthMethod,
} from './vocabulary.ts'

export type Client = {
  readonly clientId: ClientId
  readonly enabled: boolean
  readonly clientName: string
  readonly clientUri: string | null
  readonly logoUri: string | null
  readonly policyUri: string | null
  readonly tosUri: string | null
  readonly applicationType: 'web' | 'native'
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  /** Built-in names of `vocabulary.grantTypes`, or names of custom grants. */
  readonly grantTypes: readonly string[]
  readonly responseTypes: readonly ResponseType[]
  /** `null`: Basic and body are both accepted, as the endpoint specification has it. */
  readonly tokenEndpointAuthMethod: TokenEndpointAuthMethod | null
  readonly scopes: readonly ScopeName[]
  readonly accessTokenType: AccessTokenType
  readonly accessTokenSignedResponseAlg: SigningAlgorithm
  readonly idTokenSignedResponseAlg: SigningAlgorithm
  readonly pkce: PkcePolicy
  readonly requireConsent: boolean
  readonly allowRememberConsent: boolean
  /** Empty: every enabled provider. */
  readonly identityProviderRestrictions: readonly ProviderScheme[]
  readonly enableLocalLogin: boolean
  readonly identityTokenLifetimeSeconds: number
  readonly accessTokenLifetimeSeconds: number
  readonly authorizationCodeLifetimeSeconds: number
  readonly absoluteRefreshTokenLifetimeSeconds: number
  readonly slidingRefreshTokenLifetimeSeconds: number
  /** `null`: remembered consent does not expire. */
  readonly consentLifetimeSeconds: number | null
  /** How long a retry with a used refresh token gets the same answer; `null`: as long as the server's setting says. */
  readonly refreshRetryWindowSeconds: number | null
  readonly refreshTokenUsage: 'one_time' | 'reuse'
  readonly refreshTokenExpiration: 'absolute' | 'sliding'
  /** Whether a refresh reads the user's claims again; otherwise the access token keeps its first ones. */
  readonly updateAccessTokenClaimsOnRefresh: boolean
  readonly allowedCorsOrigins: readonly string[]
  /** Claims about the client itself, put into its tokens with the prefix `client_`. */
  readonly claims: Claims
  readonly alwaysSendClientClaims: boolean
}

/** A public client cannot keep a secret and so cannot prove who it is. */
export function isPublic(client: Client): boolean {
  return client.tokenEndpointAuthMethod === 'none'
}
