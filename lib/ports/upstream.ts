/** Identity providers, and requests to them, where Latchkey is the relying party. */
import type { ProviderScheme } from '#lib/protocol/ids.ts'
import type { Reauthentication } from '#lib/protocol/vocabulary.ts'
import type { ExternalIdentity } from './users.ts'

/** An identity provider with which users can sign in. */
export type IdentityProvider = {
  readonly scheme: ProviderScheme
  readonly displayName: string
  readonly issuer: string
  readonly clientId: string
  /** Opened only when used; `null`: a public client with PKCE. */
  readonly clientSecret: string | null
  /** What it is asked for, separated by spaces. */
  readonly scope: string
  /** Email domains that belong to it, in lower case. */
  readonly domains: readonly string[]
  readonly reauthentication: Reauthentication
  /** Signing out here also signs out there. */
  readonly signOutAtProvider: boolean
  /** Not listed on pages; apps reach it with `idp:` in `acr_values`. */
  readonly hidden: boolean
  readonly enabled: boolean
}

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
  /** The app asked for a fresh sign-in, so the provider must too. */
  readonly forceLogin: boolean
  /** How old the sign-in at the provider may be. It must then say how old it is (OpenID Connect Core 3.1.2.1). */
  readonly maxAgeSeconds: number | null
}

export type UpstreamCallback = {
  /** The callback's parameters as they came; `iss`, `state`, `error` are checked here (RFC 9207). */
  readonly parameters: Readonly<Record<string, string>>
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** The user, and the ID token itself, which nothing but a sign-out there needs. */
export type RedeemedSignIn = { readonly identity: ExternalIdentity; readonly idToken: string }

/** OpenID Connect RP-Initiated Logout 1.0. */
export type UpstreamSignOut = {
  /** `null`: not stored. */
  readonly idToken: string | null
  readonly redirectUri: string
  readonly state: string
}

/** The metadata of a provider before it is stored. Texts and lists are the provider's, of bounded size. */
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
      /** `null`: not in the metadata. */
      readonly scopes: readonly string[] | null
      readonly claims: readonly string[] | null
      readonly signingAlgorithms: readonly string[] | null
      readonly clientAuthentication: readonly string[] | null
      /** In plain sentences. A sign-in fails while there is one that `isFatal`. */
      readonly problems: readonly { readonly sentence: string; readonly isFatal: boolean }[]
    }
  | {
      readonly kind: 'failed'
      readonly sentence: string
      /** The issuer in the metadata, if it differs. */
      readonly namedIssuer: string | null
    }

/** Every failure is an `OauthError('provider_failed', …)`; the provider's own text is never shown to users. */
export type Upstream = {
  readonly authorizationUrl: (provider: IdentityProvider, request: UpstreamRequest) => Promise<string>
  readonly redeem: (provider: IdentityProvider, callback: UpstreamCallback) => Promise<RedeemedSignIn>
  /** Where the browser must go to be signed out there; `null`: the provider has no `end_session_endpoint`. */
  readonly signOutUrl: (provider: IdentityProvider, request: UpstreamSignOut) => Promise<string | null>
  /** Fetches the metadata of the issuer, without a cache. Never throws because of the provider. */
  readonly preview: (issuer: string) => Promise<ProviderPreview>
}
