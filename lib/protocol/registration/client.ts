/** Clients: their conversion from the wire form, and what follows from their settings. */
import { z } from 'zod'
import { adminScope } from '../admin-role.ts'
import { type ScopeName, scopeNameSchema } from '../ids.ts'
import { responseTypeRow } from '../vocabulary.ts'
import { offlineScope, scopeWords } from '../wire/scopes.ts'
import { clientMetadataFields } from './client-fields.ts'
import { alsoForInvalidFields, checkClientRules } from './client-rules.ts'
import { strictFields } from './fields.ts'

export const clientMetadataSchema = strictFields('client field', clientMetadataFields).superRefine(
  checkClientRules,
  alsoForInvalidFields,
)

/** A client in a configuration file or in the database. */
export type ClientMetadata = z.input<typeof clientMetadataSchema>
/** The wire form with every default filled in. */
export type ClientMetadataRead = z.output<typeof clientMetadataSchema>

type ReadonlyLists<T> = { readonly [K in keyof T]: T[K] extends ReadonlyArray<infer E> ? readonly E[] : T[K] }

/** Reads a client from its wire form and fills in the defaults. Throws a ZodError if it is not a client. */
export function clientFromMetadata(metadata: unknown): ReadonlyLists<ReturnType<typeof clientOf>> {
  return clientOf(clientMetadataSchema.parse(metadata))
}

/** Reads a built-in client, which is exempt from the rules for registration. */
export function ownClientFromMetadata(metadata: ClientMetadata): ReturnType<typeof clientFromMetadata> {
  return clientOf(z.strictObject(clientMetadataFields).parse(metadata))
}

function clientOf(read: ClientMetadataRead) {
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
    requireAcr: read.require_acr,
    signOutPrompt: read.require_sign_out_prompt ? ('always' as const) : read.sign_out_prompt,
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
    allowAccessToAllScopes: read.allow_access_to_all_scopes,
    ...signatureSettingsOf(read),
    includeJwtId: read.include_jwt_id,
    alwaysIncludeUserClaimsInIdToken: read.always_include_user_claims_in_id_token,
    pkce: read.pkce,
    allowedCorsOrigins: read.allowed_cors_origins,
  }
}

const signatureFields = z.object({
  access_token_type: clientMetadataFields.access_token_type,
  access_token_format: clientMetadataFields.access_token_format,
  access_token_signed_response_alg: clientMetadataFields.access_token_signed_response_alg,
  id_token_signed_response_alg: clientMetadataFields.id_token_signed_response_alg,
})

function signatureSettingsOf(read: z.output<typeof signatureFields>) {
  return {
    accessTokenType: read.access_token_type,
    accessTokenFormat: read.access_token_format,
    accessTokenSignedResponseAlg: read.access_token_signed_response_alg ?? ('ES256' as const),
    idTokenSignedResponseAlg: read.id_token_signed_response_alg,
  }
}

/** The names of the fields from which `readSignatureSettings` reads. */
export const signatureFieldNames: readonly string[] = Object.keys(signatureFields.shape)

/** Reads how the tokens of a client are signed, from the fields `signatureFieldNames` of its wire form. */
export function readSignatureSettings(metadata: unknown): SignatureSettings {
  return signatureSettingsOf(signatureFields.parse(metadata))
}

export type SignatureSettings = Readonly<ReturnType<typeof signatureSettingsOf>>

function lifetimesOf(read: ClientMetadataRead) {
  return {
    idTokenLifetimeSeconds: read.id_token_lifetime,
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

/** Returns the response types that a client without `response_types` may request. */
export function defaultResponseTypes(grantTypes: readonly string[]): readonly ['code'] | readonly [] {
  return grantTypes.includes('authorization_code') ? ['code'] : []
}

/** A registered client as the core reads it. */
export type Client = ReturnType<typeof clientFromMetadata>

/** Whether the client may request the scope. Access to all scopes never includes the scope of the admin API. */
export function isRegisteredFor({ scopes, allowAccessToAllScopes }: Client, name: ScopeName): boolean {
  return scopes.includes(name) || (allowAccessToAllScopes && name !== adminScope)
}

/**
 * Returns the scopes that the client may request, in the client's order; if it has access to all scopes, those in `all`
 * first.
 */
export function requestableScopes(client: Client, all: readonly ScopeName[]): readonly ScopeName[] {
  if (!client.allowAccessToAllScopes) return client.scopes
  return [...new Set([...all, ...client.scopes])].filter(name => isRegisteredFor(client, name))
}

/** Whether the client is public: it cannot keep a secret, and therefore cannot authenticate. */
export function isPublic(client: Client): boolean {
  return client.tokenEndpointAuthMethod === 'none'
}

/** The kinds of client, for each of which the dashboard proposes different settings. */
export const clientKinds = ['web', 'spa', 'native', 'machine', 'legacy'] as const

export const clientKindSchema = z.enum(clientKinds)
export type ClientKind = z.infer<typeof clientKindSchema>

const byMachine: ReadonlySet<string> = new Set(['client_credentials'])
/** Grants that RFC 9700 2.1.2 and 2.4 advise against. */
const outdated: ReadonlySet<string> = new Set(['implicit', 'password'])

/** Derives the kind of a client from its settings. */
export function clientKindOf(client: Client): ClientKind {
  if (client.grantTypes.some(grantType => outdated.has(grantType))) return 'legacy'
  if (client.grantTypes.length > 0 && client.grantTypes.every(grantType => byMachine.has(grantType)))
    return 'machine'
  if (client.applicationType === 'native') return 'native'
  return isPublic(client) ? 'spa' : 'web'
}

/** Settings of a client that current standards advise against, supported for the apps that still need them. */
export const legacySwitches = [
  'password_grant',
  'implicit_tokens',
  'plain_code_challenge',
  'optional_pkce',
  'reused_refresh_tokens',
  'every_scope',
] as const

export type LegacySwitch = (typeof legacySwitches)[number]

const isOn: Readonly<Record<LegacySwitch, (client: Client) => boolean>> = {
  // RFC 9700 2.4 forbids the password grant
  password_grant: ({ grantTypes }) => grantTypes.includes('password'),
  // RFC 9700 2.1.2 advises against access tokens in authorization responses
  implicit_tokens: ({ responseTypes }) => responseTypes.some(type => responseTypeRow(type).token),
  // RFC 9700 2.1.1: the challenge must not reveal the verifier
  plain_code_challenge: client => usesCodes(client) && client.pkce === 'required',
  optional_pkce: client => usesCodes(client) && client.pkce === 'optional',
  // RFC 9700 4.14.2: refresh tokens of public clients must be rotated
  reused_refresh_tokens: client =>
    isPublic(client) && client.grantTypes.includes('refresh_token') && client.refreshTokenUsage === 'reuse',
  // RFC 9700 2.3: access tokens should have only the necessary scopes
  every_scope: ({ allowAccessToAllScopes }) => allowAccessToAllScopes,
}

export function legacySwitchesOf(client: Client): readonly LegacySwitch[] {
  return legacySwitches.filter(name => isOn[name](client))
}

/** A setting by which clients are found: one that standards advise against, or one without effect. */
export type NotedSetting = LegacySwitch | 'idle_offline_access'

export function notedSettingsOf(client: Client): readonly NotedSetting[] {
  const idle = isOfflineIdle(client.scopes, client.grantTypes) ? (['idle_offline_access'] as const) : []
  return [...legacySwitchesOf(client), ...idle]
}

/** Whether `offline_access` has no effect: a request for it is ignored if the client may not use refresh tokens. */
export function isOfflineIdle(scopes: readonly string[], grantTypes: readonly string[]): boolean {
  return scopes.includes(offlineScope) && !grantTypes.includes('refresh_token')
}

function usesCodes({ grantTypes }: Client): boolean {
  return grantTypes.includes('authorization_code')
}
