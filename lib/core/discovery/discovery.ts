/** The metadata of the server, even for features that no client may use, and its public keys. */

import type { Ports, Settings } from '#lib/ports/ports.ts'
import { levelOfAcr, supportedAcrValues } from '#lib/protocol/acr-values.ts'
import type { JsonValue } from '#lib/protocol/claims.ts'
import type { Scope } from '#lib/protocol/registration/scope.ts'
import {
  type BuiltInGrantType,
  builtInGrantTypes,
  codeChallengeMethods,
  type EndpointName,
  endpointMembers,
  endpointNames,
  grantTypes,
  prompts,
  responseModes,
  responseTypeNames,
  responseTypeRow,
  tokenEndpointAuthMethods,
} from '#lib/protocol/vocabulary.ts'
import { ownUrl } from '#lib/protocol/wire/own-addresses.ts'
import { offlineScope } from '#lib/protocol/wire/scopes.ts'
import { registeredScopes } from '../scopes/resolve-scopes.ts'
import { isRegistrationOpen } from '../sign-in/registration-policy.ts'

export type DiscoveryShape = 'openid' | 'oauth'
type Metadata = Readonly<Record<string, JsonValue>>

/** Returns the metadata document of OpenID Connect Discovery 1.0 (`openid`) or of RFC 8414 (`oauth`). */
export async function discovery(ports: Ports, shape: DiscoveryShape): Promise<Metadata> {
  const scopes = await registeredScopes(ports)
  const shown = scopes.filter(scope => scope.enabled && scope.showInDiscovery)
  const oauth = {
    issuer: ports.settings.issuer,
    // The key set is turned off together with this document
    jwks_uri: ownUrl(ports.settings.issuer, '/.well-known/jwks'),
    ...addressesOf(ports.settings, 'oauth'),
    scopes_supported: scopeNames(scopes, shown),
    ...authorization(ports),
    ...clientAuthentication(ports.settings),
  }
  if (shape === 'oauth') return oauth
  return { ...oauth, ...openid(ports, shown), ...(await promptValues(ports)) }
}

/** Returns the public signing keys (RFC 7517 5). */
export async function keySet(ports: Ports): Promise<Metadata> {
  return { keys: await ports.signer.publicKeys() }
}

/** Endpoints that only OpenID Connect has. */
const openidEndpoints: ReadonlySet<EndpointName> = new Set(['userinfo', 'endsession'])

/** Returns the addresses of the enabled endpoints: of `openidEndpoints` for `openid`, of the others for `oauth`. */
function addressesOf({ issuer, enabledEndpoints }: Settings, shape: DiscoveryShape): Metadata {
  const shown = endpointNames.filter(
    name => enabledEndpoints.has(name) && openidEndpoints.has(name) === (shape === 'openid'),
  )
  return Object.fromEntries(
    shown.flatMap(name => {
      const member = endpointMembers[name]
      return member === null ? [] : [[member, ownUrl(issuer, `/connect/${name}`)]]
    }),
  )
}

/**
 * Returns the names of scopes: identity scopes first, then resources; `offline_access` works even if it is not
 * registered.
 */
function scopeNames(all: readonly Scope[], shown: readonly Scope[]): readonly string[] {
  const ofKind = (kind: Scope['kind']) => shown.filter(scope => scope.kind === kind).map(({ name }) => name)
  const isOfflineRegistered = all.some(({ name }) => name === offlineScope)
  return [...ofKind('identity'), ...ofKind('resource'), ...(isOfflineRegistered ? [] : [offlineScope])]
}

function authorization({ settings, customGrants }: Ports): Metadata {
  const hasAuthorize = settings.enabledEndpoints.has('authorize')
  const hasCode = hasAuthorize && settings.enabledEndpoints.has('token')
  const usable = responseTypeNames.filter(type =>
    responseTypeRow(type).grantTypes.every(grantType => isUsable(grantType, settings)),
  )
  return {
    response_types_supported: usable,
    ...(hasAuthorize ? { response_modes_supported: responseModes } : {}),
    grant_types_supported: [
      ...grantTypes.filter(type => isUsable(type, settings)),
      ...(settings.enabledEndpoints.has('token') ? customGrants.map(({ grantType }) => grantType) : []),
    ],
    ...(hasCode ? { code_challenge_methods_supported: codeChallengeMethods } : {}),
    // RFC 9207 3
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    // Present because the default is true
    request_uri_parameter_supported: false,
  }
}

/** Whether the endpoints of a grant type are turned on, and for passwords also the local sign-in. */
function isUsable(grantType: BuiltInGrantType, { enabledEndpoints, localLogin }: Settings): boolean {
  if (grantType === 'password' && !localLogin) return false
  return builtInGrantTypes[grantType].endpoints.every(name => enabledEndpoints.has(name))
}

function clientAuthentication({ enabledEndpoints }: Settings): Metadata {
  const withSecret = tokenEndpointAuthMethods.filter(method => method !== 'none')
  const rows = [
    ['token_endpoint_auth_methods_supported', 'token', tokenEndpointAuthMethods],
    ['revocation_endpoint_auth_methods_supported', 'revocation', tokenEndpointAuthMethods],
    ['introspection_endpoint_auth_methods_supported', 'introspect', withSecret],
  ] as const
  return Object.fromEntries(
    rows.flatMap(([member, endpoint, methods]) =>
      enabledEndpoints.has(endpoint) ? [[member, methods]] : [],
    ),
  )
}

function openid({ settings, signer }: Ports, shown: readonly Scope[]): Metadata {
  return {
    ...addressesOf(settings, 'openid'),
    claims_supported: claimNames(shown),
    acr_values_supported: supportedAcrValues.filter(
      value => settings.relyingParty.kind === 'on' || levelOfAcr(value) !== 'passkey',
    ),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: signer.algorithms,
    claims_parameter_supported: false,
  }
}

/** OpenID Connect Prompt Create 1.0, 4.2: `create` is listed only while users can create accounts. */
async function promptValues(ports: Ports): Promise<Metadata> {
  if (!ports.settings.enabledEndpoints.has('authorize')) return {}
  const isOpen = await isRegistrationOpen(ports)
  return { prompt_values_supported: prompts.filter(prompt => prompt !== 'create' || isOpen) }
}

function claimNames(shown: readonly Scope[]): readonly string[] {
  const identity = shown.filter(({ kind }) => kind === 'identity')
  return [...new Set(['sub', ...identity.flatMap(({ claims }) => claims)])]
}
