/** The fields of a client in their wire form: names of RFC 7591 and others in snake_case, each with its text. */
import { z } from 'zod'
import {
  clientNameCharacters,
  lifetimeSeconds,
  longestLifetimeSeconds,
  longestRefreshRetryWindowSeconds,
} from '#lib/config/limits.ts'
import { adminScope } from '../admin-role.ts'
import { clientIdSchema, providerSchemeSchema, scopeNameSchema } from '../ids.ts'
import {
  accessTokenFormats,
  accessTokenTypes,
  builtInGrantTypes,
  localProvider,
  pkcePolicies,
  responseTypeNames,
  responseTypeRow,
  signingAlgorithms,
  signOutPrompts,
  tokenEndpointAuthMethods,
} from '../vocabulary.ts'
import { scopeWords } from '../wire/scopes.ts'
import { grantTypeSchema } from './client-rules.ts'
import {
  accessTokenFormatLabels,
  described,
  displayTextSchema,
  lifetimeSchema,
  originSchema,
  webAddressSchema,
} from './fields.ts'
import { publicJwksSchema } from './public-jwks.ts'
import { requiredAcr } from './required-acr.ts'

const seconds = (fallback: number, longest: number) => lifetimeSchema(longest).default(fallback)
const webAddress = webAddressSchema.nullable().default(null)
const redirectUris = z.array(z.string()).max(100).default([])
const scopeList = z
  .string()
  .default('')
  .refine(
    text => scopeWords(text).every(word => scopeNameSchema.safeParse(word).success),
    'must be scope names separated by spaces',
  )
const branding = 'Branding'
const redirects = 'Redirects'
const grants = 'Grants and authentication'
const signIn = 'Sign-in and consent'
const tokens = 'Tokens'
const refresh = 'Refresh tokens'
const ownClaims = 'Claims of the client'

/** The fields in the order of the form. A client's secrets are stored separately. */
export const clientMetadataFields = {
  client_id: described(clientIdSchema, { label: 'Client ID', help: 'At most 100 ASCII characters.' }),
  enabled: described(z.boolean().default(true), {
    label: 'Enabled',
    help: 'A disabled client gets no tokens. Disabling it revokes its grants and tokens.',
  }),
  client_name: described(displayTextSchema(clientNameCharacters).optional(), {
    group: branding,
    label: 'Name',
    help: 'Shown on the sign-in and consent pages. It must not resemble the name of this site.',
    absent: 'the client_id',
  }),
  client_uri: described(webAddress, {
    group: branding,
    label: 'Home page',
    help: 'The target of “Back to the app” on the sign-in page.',
  }),
  logo_uri: described(webAddress, {
    group: branding,
    label: 'Logo',
    help: 'A square picture. Shown only when it is on this server’s own origin.',
  }),
  policy_uri: described(webAddress, {
    group: branding,
    label: 'Privacy policy',
    help: 'Linked on the consent page.',
  }),
  tos_uri: described(webAddress, {
    group: branding,
    label: 'Terms of service',
    help: 'Linked on the consent page.',
  }),
  contacts: described(z.array(z.string().max(255)).default([]), {
    group: branding,
    label: 'Contacts',
    help: 'For your own records; users do not see them.',
  }),
  redirect_uris: described(redirectUris, {
    group: redirects,
    label: 'Redirect URIs',
    help: 'Where users return to after sign-in. Compared character by character.',
  }),
  post_logout_redirect_uris: described(redirectUris, {
    group: redirects,
    label: 'Redirect URIs after sign-out',
    help: 'Where it may ask to return to after a sign-out.',
  }),
  allowed_cors_origins: described(z.array(originSchema).default([]), {
    group: redirects,
    label: 'Origins allowed by CORS',
    help: 'Origins whose pages may call the endpoints by script, such as https://app.example.com.',
  }),
  application_type: described(z.enum(['web', 'native']).default('web'), {
    group: grants,
    label: 'Application type',
    help: 'Native apps may use loopback addresses with any port, and private schemes.',
    choices: { web: 'Web', native: 'Native' },
  }),
  grant_types: described(z.array(grantTypeSchema).default(['authorization_code']), {
    group: grants,
    label: 'Grant types',
    help: 'What it may use at the token endpoint: built-in grants, or names of custom ones.',
    choices: Object.fromEntries(Object.entries(builtInGrantTypes).map(([name, { label }]) => [name, label])),
  }),
  response_types: described(z.array(z.enum(responseTypeNames)).optional(), {
    group: grants,
    label: 'Response types',
    help: 'What it may request at the authorization endpoint.',
    choices: Object.fromEntries(responseTypeNames.map(type => [type, responseTypeRow(type).label])),
    absent: 'code, with the grant type authorization_code',
  }),
  token_endpoint_auth_method: described(z.enum(tokenEndpointAuthMethods).nullable().default(null), {
    group: grants,
    label: 'Client authentication',
    help: 'How it authenticates at the token endpoint. A public client has no secret.',
    choices: {
      client_secret_basic: 'Secret in the Basic header',
      client_secret_post: 'Secret in the body',
      none: 'None (public client)',
    },
    absent: 'Basic header or body',
  }),
  pkce: described(z.enum(pkcePolicies).default('required-s256'), {
    group: grants,
    label: 'PKCE',
    help: 'Makes stolen codes useless. If an app cannot turn it on and has a secret: S256 or a nonce, which the app must compare itself. Optional only for legacy apps.',
    choices: {
      'required-s256': 'Required, S256 only',
      's256-or-nonce': 'S256, or a nonce in a request with openid',
      required: 'Required, S256 or plain',
      optional: 'Optional (legacy)',
    },
  }),
  scope: described(scopeList, {
    group: grants,
    label: 'Scopes',
    help: 'What it may request. offline_access works only with the grant type refresh_token.',
  }),
  allow_access_to_all_scopes: described(z.boolean().default(false), {
    group: grants,
    label: 'Every scope',
    help: `It may request every scope, also later ones, except ${adminScope}. For trusted legacy apps.`,
  }),
  enable_local_login: described(z.boolean().default(true), {
    group: signIn,
    label: 'Sign-in with a password of this server',
    help: 'Off: only with an identity provider. Independent of the next field.',
  }),
  identity_provider_restrictions: described(z.array(providerSchemeSchema).default([]), {
    group: signIn,
    label: 'Identity providers',
    help: `The only ones that users can sign in with. With “${localProvider}” only: accounts of this server, no provider.`,
    choices: { [localProvider]: 'Accounts of this server' },
    absent: 'every enabled one',
  }),
  require_acr: requiredAcr(signIn),
  require_consent: described(z.boolean().default(true), {
    group: signIn,
    label: 'Ask for consent',
    help: 'Turn off only for first-party apps.',
  }),
  allow_remember_consent: described(z.boolean().default(true), {
    group: signIn,
    label: 'Allow remembering consent',
    help: 'Off: users are asked each time.',
  }),
  consent_lifetime: described(lifetimeSchema(longestLifetimeSeconds.consent).nullable().default(null), {
    group: signIn,
    label: 'Consent lifetime',
    help: 'In seconds.',
    absent: 'until it is removed',
  }),
  require_sign_out_prompt: described(z.boolean().default(false), {
    group: signIn,
    label: 'Confirm every sign-out',
    help: 'On: users confirm each sign-out that it asks for, also with an id_token_hint.',
  }),
  sign_out_prompt: described(z.enum(signOutPrompts).nullable().default(null), {
    group: signIn,
    label: 'Confirmation of a sign-out',
    help: 'When users confirm a sign-out that it asks for. Never: for apps that cannot send an id_token_hint; users return to the app directly, but any web page can sign them out in its name.',
    choices: {
      always: 'Always',
      'without-hint': 'Unless the app sends an ID token',
      'if-required': 'Never, unless the request has a mistake',
    },
    absent: 'that of the server',
  }),
  access_token_type: described(z.enum(accessTokenTypes).default('jwt'), {
    group: tokens,
    label: 'Access token',
    help: 'A JWT that APIs verify, or a reference token that APIs introspect and that can be revoked at any time.',
    choices: { jwt: 'JWT', reference: 'Reference token' },
  }),
  access_token_format: described(z.enum(accessTokenFormats).nullable().default(null), {
    group: tokens,
    label: 'Access token format',
    help: 'RFC 9068 is the standard. With typ JWT: the same claims for APIs that refuse typ at+jwt, as Spring Security does by default. IdentityServer3: for APIs that verify tokens with its middleware; amr and idp of ID tokens then also have its values.',
    choices: accessTokenFormatLabels,
    absent: 'that of its scopes, else of the server',
  }),
  include_jwt_id: described(z.boolean().default(false), {
    group: tokens,
    label: 'Token ID in the IdentityServer3 format',
    help: 'Adds iat, and jti to reference tokens; tokens of RFC 9068 always have both, and JWTs always have jti.',
  }),
  access_token_lifetime: described(seconds(lifetimeSeconds.accessToken, longestLifetimeSeconds.accessToken), {
    group: tokens,
    label: 'Access token lifetime',
    help: 'In seconds.',
  }),
  access_token_signed_response_alg: described(z.enum(signingAlgorithms).nullable().default(null), {
    group: tokens,
    label: 'Access token signature',
    help: 'The algorithm that signs a JWT. The IdentityServer3 format is always signed with RS256.',
    absent: 'ES256',
  }),
  id_token_lifetime: described(seconds(lifetimeSeconds.identityToken, longestLifetimeSeconds.identityToken), {
    group: tokens,
    label: 'ID token lifetime',
    help: 'In seconds.',
  }),
  id_token_signed_response_alg: described(z.enum(signingAlgorithms).default('RS256'), {
    group: tokens,
    label: 'ID token signature',
    help: 'Every client library supports RS256.',
  }),
  always_include_user_claims_in_id_token: described(z.boolean().default(false), {
    group: tokens,
    label: 'Claims of all its scopes in the ID token',
    help: 'On: for apps that read only the ID token and then know no name, email address or group. Off: they read these claims at userinfo, and the ID token stays small.',
  }),
  authorization_code_lifetime: described(
    seconds(lifetimeSeconds.authorizationCode, longestLifetimeSeconds.authorizationCode),
    { group: tokens, label: 'Authorization code lifetime', help: 'In seconds; a minute is enough.' },
  ),
  refresh_token_usage: described(z.enum(['one_time', 'reuse']).default('one_time'), {
    group: refresh,
    label: 'Usage',
    help: 'One-time tokens are replaced at each use, so that a stolen one is detected.',
    choices: { one_time: 'One time', reuse: 'Reusable' },
  }),
  refresh_token_expiration: described(z.enum(['absolute', 'sliding']).default('absolute'), {
    group: refresh,
    label: 'Expiry',
    help: 'Absolute: after a fixed time. Sliding: after a time without use.',
    choices: { absolute: 'Absolute', sliding: 'Sliding' },
  }),
  absolute_refresh_token_lifetime: described(
    seconds(lifetimeSeconds.absoluteRefreshToken, longestLifetimeSeconds.refreshToken),
    { group: refresh, label: 'Absolute lifetime', help: 'In seconds, however often it is used.' },
  ),
  sliding_refresh_token_lifetime: described(
    seconds(lifetimeSeconds.slidingRefreshToken, longestLifetimeSeconds.refreshToken),
    { group: refresh, label: 'Sliding lifetime', help: 'In seconds without use; for sliding expiry.' },
  ),
  refresh_retry_window: described(
    z.int().min(0).max(longestRefreshRetryWindowSeconds).nullable().default(null),
    {
      group: refresh,
      label: 'Retry window',
      help: 'Seconds in which a retry with a used one-time token gets the same answer; later it revokes the grant. 0: off.',
      absent: 'as set for the server; at most 5 for public clients',
    },
  ),
  update_access_token_claims_on_refresh: described(z.boolean().default(false), {
    group: refresh,
    label: 'Refresh claims on token refresh',
    help: 'Off: the access token keeps the claims it was first issued with.',
  }),
  claims: described(z.record(z.string().min(1).max(250), z.json()).default({}), {
    group: ownClaims,
    label: 'Claims',
    help: 'About the client itself, as JSON; sent with the prefix client_.',
  }),
  always_send_client_claims: described(z.boolean().default(false), {
    group: ownClaims,
    label: 'Send them also with tokens of users',
    help: 'Off: only with tokens that the client gets for itself.',
  }),
  jwks: described(publicJwksSchema.optional(), {
    group: ownClaims,
    label: 'Public keys',
    help: 'A JWK set, stored for key-based authentication; not used yet.',
  }),
}
