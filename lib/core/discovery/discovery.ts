/** The metadata for clients: what the server supports, even if no client may use it, and some extensions that it does not. */
import type { Ports } from '#lib/ports/ports.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import {
  codeChallengeMethods,
  grantTypes,
  prompts,
  responseModes,
  responseTypes,
  tokenEndpointAuthMethods,
} from '#lib/protocol/vocabulary.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import { registeredScopes } from '../scopes/resolve-scopes.ts'

export type DiscoveryShape = 'openid' | 'oauth'
type Metadata = Readonly<Record<string, JsonValue>>

/** The metadata document of OpenID Connect Discovery 1.0 or of RFC 8414, which leaves out what only OpenID has. */
export async function discovery(ports: Ports, shape: DiscoveryShape): Promise<Metadata> {
  const scopes = await registeredScopes(ports)
  const shown = scopes.filter(scope => scope.enabled && scope.showInDiscovery)
  const oauth = {
    ...oauthEndpoints(ports.settings.issuer),
    scopes_supported: scopeNames(scopes, shown),
    ...authorization(ports),
    ...clientAuthentication(),
  }
  return shape === 'oauth' ? oauth : { ...oauth, ...openid(ports, shown) }
}

/** The public signing keys (RFC 7517 5). */
export async function keySet(ports: Ports): Promise<Metadata> {
  return { keys: await ports.signer.publicKeys() }
}

function oauthEndpoints(issuer: string): Metadata {
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks`,
    authorization_endpoint: `${issuer}/connect/authorize`,
    token_endpoint: `${issuer}/connect/token`,
    revocation_endpoint: `${issuer}/connect/revocation`,
    introspection_endpoint: `${issuer}/connect/introspect`,
  }
}

/** Identity scopes first, then resources; `offline_access` works even where it is not registered. */
function scopeNames(all: readonly Scope[], shown: readonly Scope[]): readonly string[] {
  const ofKind = (kind: Scope['kind']) => shown.filter(scope => scope.kind === kind).map(({ name }) => name)
  const isOfflineRegistered = all.some(({ name }) => name === offlineScope)
  return [...ofKind('identity'), ...ofKind('resource'), ...(isOfflineRegistered ? [] : [offlineScope])]
}

function authorization(ports: Ports): Metadata {
  return {
    response_types_supported: responseTypes,
    response_modes_supported: responseModes,
    grant_types_supported: [...grantTypes, ...ports.customGrants.map(({ grantType }) => grantType)],
    code_challenge_methods_supported: codeChallengeMethods,
    // RFC 9207 3
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    // Its default is true
    request_uri_parameter_supported: false,
  }
}

function clientAuthentication(): Metadata {
  return {
    token_endpoint_auth_methods_supported: tokenEndpointAuthMethods,
    revocation_endpoint_auth_methods_supported: tokenEndpointAuthMethods,
    introspection_endpoint_auth_methods_supported: tokenEndpointAuthMethods.filter(
      method => method !== 'none',
    ),
  }
}

function openid({ settings, signer }: Ports, shown: readonly Scope[]): Metadata {
  return {
    userinfo_endpoint: `${settings.issuer}/connect/userinfo`,
    end_session_endpoint: `${settings.issuer}/connect/endsession`,
    claims_supported: claimNames(shown),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: signer.algorithms,
    prompt_values_supported: prompts,
    claims_parameter_supported: false,
  }
}

function claimNames(shown: readonly Scope[]): readonly string[] {
  const identity = shown.filter(({ kind }) => kind === 'identity')
  return [...new Set(['sub', ...identity.flatMap(({ claims }) => claims)])]
}
