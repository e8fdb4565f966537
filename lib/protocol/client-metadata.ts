/** The wire form of a client: RFC 7591's names and ours in snake_case. In configuration files and in the store. */
import { z } from 'zod'
import {
  lifetimeSeconds,
  longestLifetimeSeconds,
  longestRefreshRetryWindowSeconds,
} from '#lib/config/limits.ts'
import type { Client } from './client.ts'
import { checkClientRules, evenIfWrong, grantTypeSchema } from './client-rules.ts'
import { clientIdSchema, providerSchemeSchema, scopeNameSchema } from './ids.ts'
import {
  displayTextSchema,
  lifetimeSchema,
  originSchema,
  strictFields,
  webAddressSchema,
} from './metadata-fields.ts'
import { publicJwksSchema } from './public-jwks.ts'
import { scopeWords } from './scope.ts'
import {
  accessTokenTypes,
  pkcePolicies,
  responseTypes,
  signingAlgorithms,
  tokenEndpointAuthMethods,
} from './vocabulary.ts'

const seconds = (fallback: number, longest: number) => lifetimeSchema(longest).default(fallback)
const webAddress = webAddressSchema.nullable().default(null)
const redirectUris = z.array(z.string()).max(100).default([])

/** The fields of a client; its secrets are stored separately. */
export const clientMetadataFields = {
  client_id: clientIdSchema,
  enabled: z.boolean().default(true),
  client_name: displayTextSchema(200).optional().describe('As people read it. Default: the client_id.'),
  client_uri: webAddress.describe('Where the way back to the app leads on the sign-in page.'),
  logo_uri: webAddress.describe('A square picture. Shown only when it lies on the issuer’s own origin.'),
  policy_uri: webAddress,
  tos_uri: webAddress,
  contacts: z
    .array(z.string().max(255))
    .default([])
    .describe('For your own records; not used by the server.'),
  jwks: publicJwksSchema
    .optional()
    .describe('Public keys of the client, kept for key-based authentication; not used yet.'),
  application_type: z.enum(['web', 'native']).default('web'),
  redirect_uris: redirectUris.describe('Compared exactly, character by character.'),
  post_logout_redirect_uris: redirectUris,
  grant_types: z
    .array(grantTypeSchema)
    .default(['authorization_code'])
    .describe('Built-in grants, or names of custom ones.'),
  response_types: z
    .array(z.enum(responseTypes))
    .optional()
    .describe('Default: ["code"] with the grant authorization_code, else none.'),
  token_endpoint_auth_method: z
    .enum(tokenEndpointAuthMethods)
    .nullable()
    .default(null)
    .describe('Unset: Basic and body are both accepted. `none`: a public client.'),
  scope: z
    .string()
    .default('')
    .refine(
      text => scopeWords(text).every(word => scopeNameSchema.safeParse(word).success),
      'must be scope names separated by spaces',
    )
    .describe(
      'The scopes it may ask for, separated by spaces. offline_access works only with the grant refresh_token.',
    ),
  access_token_type: z.enum(accessTokenTypes).default('jwt'),
  access_token_signed_response_alg: z.enum(signingAlgorithms).default('ES256'),
  id_token_signed_response_alg: z.enum(signingAlgorithms).default('RS256'),
  pkce: z.enum(pkcePolicies).default('required-s256'),
  require_consent: z.boolean().default(true),
  allow_remember_consent: z.boolean().default(true),
  identity_provider_restrictions: z
    .array(providerSchemeSchema)
    .default([])
    .describe(
      'The only ones people may come from. Empty: every enabled one. Local passwords are enable_local_login.',
    ),
  enable_local_login: z
    .boolean()
    .default(true)
    .describe('Passwords of this server, whatever identity_provider_restrictions says.'),
  id_token_lifetime: seconds(lifetimeSeconds.identityToken, longestLifetimeSeconds.identityToken),
  access_token_lifetime: seconds(lifetimeSeconds.accessToken, longestLifetimeSeconds.accessToken),
  authorization_code_lifetime: seconds(
    lifetimeSeconds.authorizationCode,
    longestLifetimeSeconds.authorizationCode,
  ),
  absolute_refresh_token_lifetime: seconds(
    lifetimeSeconds.absoluteRefreshToken,
    longestLifetimeSeconds.refreshToken,
  ),
  sliding_refresh_token_lifetime: seconds(
    lifetimeSeconds.slidingRefreshToken,
    longestLifetimeSeconds.refreshToken,
  ),
  consent_lifetime: lifetimeSchema(longestLifetimeSeconds.consent)
    .nullable()
    .default(null)
    .describe('null: remembered until removed.'),
  refresh_token_usage: z.enum(['one_time', 'reuse']).default('one_time'),
  refresh_token_expiration: z.enum(['absolute', 'sliding']).default('absolute'),
  refresh_retry_window: z
    .int()
    .min(0)
    .max(longestRefreshRetryWindowSeconds)
    .nullable()
    .default(null)
    .describe(
      'Seconds in which a retry with a used refresh token gets the same answer. null: as set for the server.',
    ),
  update_access_token_claims_on_refresh: z.boolean().default(false),
  allowed_cors_origins: z.array(originSchema).default([]),
  claims: z
    .record(z.string().min(1).max(250), z.json())
    .default({})
    .describe('About the client itself; sent with the prefix `client_`.'),
  always_send_client_claims: z.boolean().default(false),
}

export const clientMetadataSchema = strictFields('client field', clientMetadataFields).superRefine(
  checkClientRules,
  evenIfWrong,
)

/** A client in a configuration file or in the database. */
export type ClientMetadata = z.input<typeof clientMetadataSchema>
/** The same with every default filled in. */
export type ClientMetadataRead = z.output<typeof clientMetadataSchema>

/** Reads a client from its wire form and fills in the defaults. Throws a ZodError when it is not one. */
export function clientFromMetadata(metadata: unknown): Client {
  return clientOf(clientMetadataSchema.parse(metadata))
}

/** The same of a client that is ours: what may be registered by others does not bind it. */
export function ownClientFromMetadata(metadata: ClientMetadata): Client {
  return clientOf(z.strictObject(clientMetadataFields).parse(metadata))
}

function clientOf(read: ClientMetadataRead): Client {
  return { ...identityOf(read), ...protocolOf(read), ...lifetimesOf(read) }
}

function identityOf(read: ClientMetadataRead) {
  return {
    clientId: read.client_id,
    enabled: read.enabled,
    clientName: read.client_name ?? read.client_id,
    clientUri: read.client_uri,
    logoUri: read.logo_uri,
    policyUri: read.policy_uri,
    tosUri: read.tos_uri,
    applicationType: read.application_type,
    requireConsent: read.require_consent,
    allowRememberConsent: read.allow_remember_consent,
    identityProviderRestrictions: read.identity_provider_restrictions,
    enableLocalLogin: read.enable_local_login,
    claims: read.claims,
    alwaysSendClientClaims: read.always_send_client_claims,
  }
}

function protocolOf(read: ClientMetadataRead) {
  return {
    redirectUris: read.redirect_uris,
    postLogoutRedirectUris: read.post_logout_redirect_uris,
    grantTypes: [...new Set(read.grant_types)],
    responseTypes: [...new Set(read.response_types ?? defaultResponseTypes(read.grant_types))],
    tokenEndpointAuthMethod: read.token_endpoint_auth_method,
    scopes: scopeWords(read.scope).map(word => scopeNameSchema.parse(word)),
    accessTokenType: read.access_token_type,
    accessTokenSignedResponseAlg: read.access_token_signed_response_alg,
    idTokenSignedResponseAlg: read.id_token_signed_response_alg,
    pkce: read.pkce,
    allowedCorsOrigins: read.allowed_cors_origins,
  }
}

function lifetimesOf(read: ClientMetadataRead) {
  return {
    identityTokenLifetimeSeconds: read.id_token_lifetime,
    accessTokenLifetimeSeconds: read.access_token_lifetime,
    authorizationCodeLifetimeSeconds: read.authorization_code_lifetime,
    absoluteRefreshTokenLifetimeSeconds: read.absolute_refresh_token_lifetime,
    slidingRefreshTokenLifetimeSeconds: Math.min(
      read.sliding_refresh_token_lifetime,
      read.absolute_refresh_token_lifetime,
    ),
    consentLifetimeSeconds: read.consent_lifetime,
    refreshRetryWindowSeconds: read.refresh_retry_window,
    refreshTokenUsage: read.refresh_token_usage,
    refreshTokenExpiration: read.refresh_token_expiration,
    updateAccessTokenClaimsOnRefresh: read.update_access_token_claims_on_refresh,
  }
}

function defaultResponseTypes(grantTypes: readonly string[]): readonly ['code'] | readonly [] {
  return grantTypes.includes('authorization_code') ? ['code'] : []
}
