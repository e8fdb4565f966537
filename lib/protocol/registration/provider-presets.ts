/**
 * The presets of identity providers: the addresses, scopes and peculiarities of each kind, and where to register this server there.
 * `openid_connect` and `oauth2` are for all other providers.
 */
import type { Reauthentication } from '../vocabulary.ts'

export const presetNames = [
  'openid_connect',
  'oauth2',
  'google',
  'microsoft',
  'apple',
  'github',
  'gitlab',
  'linkedin',
  'keycloak',
] as const
export type PresetName = (typeof presetNames)[number]

/** The ways to send the client secret to a token endpoint. `metadata`: as the metadata of the provider allows. */
export const secretMethods = ['client_secret_post', 'client_secret_basic'] as const
export type SecretMethod = (typeof secretMethods)[number]

export type OauthEndpoints = {
  readonly authorization: string
  readonly token: string
  readonly userinfo: string
  /** The list of the user's email addresses, in the format of GitHub. */
  readonly emails?: string
}

/** The names under which a provider without ID tokens sends claims, by claim. A dot leads to a member of a member. */
export type ClaimNames = Readonly<Record<string, string>>

/** The values that only some presets have. */
export type PresetValues = {
  /** The endpoints of an OAuth 2.0 provider without a preset; `null`: the metadata or the preset names them. */
  readonly authorizationEndpoint: string | null
  readonly tokenEndpoint: string | null
  readonly userinfoEndpoint: string | null
  readonly clientAuthentication: SecretMethod | null
  /** The names of claims at an OAuth 2.0 provider, in addition to those of its preset. */
  readonly claimNames: ClaimNames
  readonly pkce: boolean
  /** The organizations whose accounts can sign in, in lower case; none: all. */
  readonly tenants: readonly string[]
  /** The team and the key of a secret that is signed on demand. */
  readonly teamId: string | null
  readonly keyId: string | null
}

export const noPresetValues: PresetValues = {
  authorizationEndpoint: null,
  tokenEndpoint: null,
  userinfoEndpoint: null,
  clientAuthentication: null,
  claimNames: {},
  pkce: true,
  tenants: [],
  teamId: null,
  keyId: null,
}

/** The names of the values in the configuration. */
export type PresetField =
  | 'authorization_endpoint'
  | 'token_endpoint'
  | 'userinfo_endpoint'
  | 'client_authentication'
  | 'claim_names'
  | 'pkce'
  | 'tenants'
  | 'team_id'
  | 'key_id'

export type ProviderPreset = {
  /** The name of the product, and the default of the name that users see. */
  readonly name: string
  /** `oauth2`: no metadata and no ID token, so that the userinfo endpoint identifies the user. */
  readonly protocol: 'openid' | 'oauth2'
  /** The issuer if the configuration gives none; `null`: it must. */
  readonly issuer: string | null
  readonly scope: string
  readonly reauthentication: Reauthentication
  readonly sendsPkce: boolean
  /** Whether its ID tokens repeat the nonce of the request (OpenID Connect Core 2). */
  readonly returnsNonce: boolean
  /** Whether its callback is a form that another site posts (OAuth 2.0 Form Post Response Mode). */
  readonly usesFormPost: boolean
  readonly secretMethod: SecretMethod | 'metadata'
  /** Whether the secret is a private key, which signs a short-lived secret for each request. */
  readonly hasSigningKey: boolean
  /** The claim of its ID tokens that `tenants` limits. */
  readonly tenantClaim: 'tid' | 'hd' | null
  readonly endpoints: ((issuer: string) => OauthEndpoints) | null
  readonly claimNames: ClaimNames
  readonly fields: readonly PresetField[]
  /** The names of the client ID and of the secret at the provider, and advice about the secret. */
  readonly credentials: { readonly clientId: string; readonly secret: string; readonly secretAdvice: string }
  /** Whether it has public clients, which have no secret. */
  readonly hasPublicClients: boolean
  /** An example of its issuer, if the address differs between installations; `null`: it is always the same. */
  readonly issuerExample: string | null
  /** The page of the provider about the registration of a client; `null`: the provider is not known. */
  readonly documents: string | null
  /** One sentence for administrators: where to register this server. */
  readonly registration: string
}

const openid: ProviderPreset = {
  name: 'OpenID Connect',
  protocol: 'openid',
  issuer: null,
  scope: 'openid profile email',
  reauthentication: 'prompt',
  sendsPkce: true,
  returnsNonce: true,
  usesFormPost: false,
  secretMethod: 'metadata',
  hasSigningKey: false,
  tenantClaim: null,
  endpoints: null,
  claimNames: {},
  fields: [],
  credentials: { clientId: 'Client ID', secret: 'Client secret', secretAdvice: '' },
  hasPublicClients: false,
  issuerExample: null,
  documents: null,
  registration:
    'Create a client for this server there: a confidential web application with the authorization code flow.',
}

/** The claims that a provider without ID tokens can send under their own names. */
const ownNames = [
  'sub',
  'name',
  'given_name',
  'family_name',
  'nickname',
  'preferred_username',
  'profile',
  'picture',
  'website',
  'email',
  'email_verified',
  'locale',
  'groups',
]

export const providerPresets: Readonly<Record<PresetName, ProviderPreset>> = {
  openid_connect: { ...openid, hasPublicClients: true, issuerExample: 'https://login.example.com' },
  oauth2: {
    ...openid,
    name: 'OAuth 2.0',
    protocol: 'oauth2',
    scope: '',
    hasPublicClients: true,
    secretMethod: 'client_secret_post',
    claimNames: Object.fromEntries(ownNames.map(name => [name, name])),
    fields: [
      'authorization_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
      'client_authentication',
      'claim_names',
      'pkce',
    ],
    registration:
      'Create a client for this server there: a web application with the authorization code flow.',
  },
  google: {
    ...openid,
    name: 'Google',
    issuer: 'https://accounts.google.com',
    // Google knows neither prompt=login nor max_age
    reauthentication: 'select_account',
    tenantClaim: 'hd',
    fields: ['tenants'],
    documents: 'https://developers.google.com/identity/openid-connect/openid-connect',
    registration:
      'In the Google Cloud console, open Google Auth Platform, Clients, Create client, and choose Web application.',
  },
  microsoft: {
    ...openid,
    name: 'Microsoft',
    issuer: 'https://login.microsoftonline.com/organizations/v2.0',
    tenantClaim: 'tid',
    fields: ['tenants'],
    credentials: {
      clientId: 'Application (client) ID',
      secret: 'Client secret',
      secretAdvice: 'Its value, not its ID.',
    },
    documents: 'https://learn.microsoft.com/entra/identity-platform/quickstart-register-app',
    registration:
      'In the Microsoft Entra admin center, open App registrations, New registration, and add the redirect URI for the platform Web; the secret is under Certificates & secrets.',
  },
  apple: {
    ...openid,
    name: 'Apple',
    issuer: 'https://appleid.apple.com',
    scope: 'openid name email',
    usesFormPost: true,
    secretMethod: 'client_secret_post',
    hasSigningKey: true,
    fields: ['team_id', 'key_id'],
    credentials: {
      clientId: 'Services ID',
      secret: 'Private key',
      secretAdvice: 'The content of the .p8 file.',
    },
    documents:
      'https://developer.apple.com/help/account/capabilities/configure-sign-in-with-apple-for-the-web',
    registration:
      'In the Apple developer account, open Certificates, Identifiers & Profiles: create a Services ID with Sign in with Apple and this return URL, and a key with Sign in with Apple.',
  },
  github: {
    ...openid,
    name: 'GitHub',
    protocol: 'oauth2',
    issuer: 'https://github.com',
    scope: 'read:user user:email',
    reauthentication: 'select_account',
    secretMethod: 'client_secret_post',
    endpoints: githubEndpoints,
    claimNames: {
      sub: 'id',
      name: 'name',
      preferred_username: 'login',
      profile: 'html_url',
      picture: 'avatar_url',
    },
    documents: 'https://docs.github.com/apps/oauth-apps/building-oauth-apps/creating-an-oauth-app',
    registration:
      'On GitHub, open the settings of your organization, Developer settings, OAuth Apps, New OAuth app, and enter the redirect URI as authorization callback URL.',
  },
  gitlab: {
    ...openid,
    name: 'GitLab',
    issuer: 'https://gitlab.com',
    issuerExample: 'https://gitlab.com',
    credentials: { clientId: 'Application ID', secret: 'Secret', secretAdvice: '' },
    documents: 'https://docs.gitlab.com/integration/oauth_provider/',
    registration:
      'In GitLab, open the settings of a group, Applications, Add new application; keep Confidential and choose the scopes openid, profile and email.',
  },
  linkedin: {
    ...openid,
    name: 'LinkedIn',
    issuer: 'https://www.linkedin.com/oauth',
    // LinkedIn answers a code_verifier with invalid_client, and its ID tokens have no nonce
    sendsPkce: false,
    returnsNonce: false,
    secretMethod: 'client_secret_post',
    documents:
      'https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2',
    registration:
      'In the LinkedIn developer portal, create an app, request the product Sign In with LinkedIn using OpenID Connect, and add the redirect URI under Auth.',
  },
  keycloak: {
    ...openid,
    name: 'Keycloak',
    hasPublicClients: true,
    issuerExample: 'https://keycloak.example.com/realms/company',
    documents: 'https://www.keycloak.org/docs/latest/server_admin/#_oidc_clients',
    registration:
      'In the admin console of Keycloak, open the realm, Clients, Create client, turn Client authentication on, and enter the redirect URI as valid redirect URI.',
  },
}

/** GitHub itself, GitHub Enterprise Cloud at its own host, or GitHub Enterprise Server. */
function githubEndpoints(issuer: string): OauthEndpoints {
  const api = githubApi(new URL(issuer))
  return {
    authorization: `${issuer}/login/oauth/authorize`,
    token: `${issuer}/login/oauth/access_token`,
    userinfo: `${api}/user`,
    emails: `${api}/user/emails`,
  }
}

function githubApi({ origin, hostname, protocol }: URL): string {
  const hasApiHost = hostname === 'github.com' || hostname.endsWith('.ghe.com')
  return hasApiHost ? `${protocol}//api.${hostname}` : `${origin}/api/v3`
}
