/** Identity providers, and requests to them, where Latchkey is the relying party. */
import type { ProviderScheme } from '#lib/protocol/ids.ts'
import type { PresetName, PresetValues } from '#lib/protocol/registration/provider-presets.ts'
import type { Reauthentication } from '#lib/protocol/vocabulary.ts'
import type { ExternalIdentity } from './users.ts'

/** An identity provider with which users can sign in. */
export type IdentityProvider = {
  readonly scheme: ProviderScheme
  readonly displayName: string
  /** The kind of provider, which decides how it is spoken to. */
  readonly preset: PresetName
  readonly issuer: string
  readonly clientId: string
  /** The secret, or the private key that signs one, opened only when it is used; `null`: a public client with PKCE. */
  readonly clientSecret: string | null
  /** The scopes that Latchkey requests from the provider, separated by spaces. */
  readonly scope: string
  /** The email domains of its users, in lower case. */
  readonly domains: readonly string[]
  readonly reauthentication: Reauthentication
  /** Whether signing out here also signs out at the provider. */
  readonly signOutAtProvider: boolean
  /** Whether pages do not list the provider; apps select it with `idp:` in `acr_values`. */
  readonly hidden: boolean
  /** The values of `amr` and `acr` in its ID tokens that count as two factors; usually none. */
  readonly secondFactorValues: readonly string[]
  /** Whether an identity with a verified email address is linked to the only account with that verified address. */
  readonly trustsEmail: boolean
  readonly enabled: boolean
} & PresetValues

export type IdentityProviders = {
  readonly all: () => Promise<readonly IdentityProvider[]>
  readonly find: (scheme: ProviderScheme) => Promise<IdentityProvider | null>
}

export type UpstreamRequest = {
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  readonly loginHint: string | null
  readonly uiLocales: string | null
  /** Whether the app requires a new sign-in, so that the provider must require it as well. */
  readonly forceLogin: boolean
  /** The maximum age of the sign-in at the provider (`max_age`, OpenID Connect Core 3.1.2.1); `null`: any. */
  readonly maxAgeSeconds: number | null
}

export type UpstreamCallback = {
  /** The parameters of the callback as received; `iss`, `state` and `error` are checked by `redeem` (RFC 9207). */
  readonly parameters: Readonly<Record<string, string>>
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/**
 * The user, and the ID token itself, which only a sign-out at the provider needs; `null`: the provider has no ID tokens.
 */
export type RedeemedSignIn = {
  readonly identity: ExternalIdentity
  readonly idToken: string | null
  /** The `amr` and the `acr` of the ID token. */
  readonly methods: readonly string[]
}

/** The request to sign out at a provider (OpenID Connect RP-Initiated Logout 1.0). */
export type UpstreamSignOut = {
  /** The ID token; `null`: it was not stored. */
  readonly idToken: string | null
  readonly redirectUri: string
  readonly state: string
}

/** The metadata of a provider before it is stored. Texts and lists come from the provider and are of limited size. */
export type ProviderPreview =
  | {
      readonly kind: 'found'
      readonly issuer: string
      readonly endpoints: {
        readonly authorization: string | null
        readonly token: string | null
        readonly userinfo: string | null
        readonly jwks: string | null
      }
      /** The scopes of the provider; `null`: the metadata does not list them. */
      readonly scopes: readonly string[] | null
      readonly claims: readonly string[] | null
      readonly signingAlgorithms: readonly string[] | null
      readonly clientAuthentication: readonly string[] | null
      /** The problems as plain sentences. A sign-in fails if one of them `isFatal`. */
      readonly problems: readonly { readonly sentence: string; readonly isFatal: boolean }[]
    }
  | {
      readonly kind: 'failed'
      readonly sentence: string
      /** The issuer in the metadata, if it differs. */
      readonly namedIssuer: string | null
    }

/**
 * Requests to identity providers. Every failure of a provider is an `OauthError` with the code `provider_failed`,
 * except in `preview`, which returns it. The provider's own text is never shown to users.
 */
export type Upstream = {
  readonly authorizationUrl: (provider: IdentityProvider, request: UpstreamRequest) => Promise<string>
  readonly redeem: (provider: IdentityProvider, callback: UpstreamCallback) => Promise<RedeemedSignIn>
  /** Returns the URL that signs the user out at the provider; `null`: the provider has no `end_session_endpoint`. */
  readonly signOutUrl: (provider: IdentityProvider, request: UpstreamSignOut) => Promise<string | null>
  /** Fetches the metadata of the issuer, without a cache. Never throws because of the provider. */
  readonly preview: (issuer: string) => Promise<ProviderPreview>
}
