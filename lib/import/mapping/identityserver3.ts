/** Clients and scopes of IdentityServer3: what becomes of each field. */
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { Fields } from '../source/tables.ts'
import {
  allowedScopes,
  alwaysIncluded,
  claimNames,
  clientAddresses,
  clientNames,
  scopeSettings,
  tokenSettings,
} from './client-values.ts'
import {
  copied,
  type Document,
  type FieldRule,
  fieldIn,
  flag,
  gone,
  internal,
  note,
  oneOf,
  or,
  type Reading,
  texts,
  WrongValue,
} from './field-map.ts'

const flows = [
  'AuthorizationCode',
  'Implicit',
  'Hybrid',
  'ClientCredentials',
  'ResourceOwner',
  'Custom',
  'AuthorizationCodeWithProofKey',
  'HybridWithProofKey',
] as const

const noHybrid =
  'hybrid flows are not supported: change the client to the authorization code flow, or leave it out of the export'

/** What `Flow` becomes. */
const grantTypes: Readonly<Record<(typeof flows)[number], readonly string[] | null>> = {
  AuthorizationCode: ['authorization_code'],
  Implicit: ['implicit'],
  Hybrid: null,
  ClientCredentials: ['client_credentials'],
  ResourceOwner: ['password'],
  Custom: [],
  AuthorizationCodeWithProofKey: ['authorization_code'],
  HybridWithProofKey: null,
}
const withoutRefresh: readonly string[] = ['Implicit', 'ClientCredentials']

function readFlow(value: unknown, all: Fields): Reading {
  const flow = or(oneOf(flows), 'Implicit')(value)
  const own = grantTypes[flow]
  if (own === null) throw new WrongValue(noHybrid)
  const custom = flow === 'Custom' ? or(texts, [])(fieldIn(all, 'AllowedCustomGrantTypes')) : []
  const isOffline =
    or(texts, [])(fieldIn(all, 'AllowedScopes')).includes('offline_access') ||
    or(flag, false)(fieldIn(all, 'AllowAccessToAllScopes'))
  const grants = [
    ...own,
    ...custom,
    ...(or(flag, false)(fieldIn(all, 'AllowClientCredentialsOnly')) ? ['client_credentials'] : []),
    ...(isOffline && !withoutRefresh.includes(flow) ? ['refresh_token'] : []),
  ]
  return {
    fields: { grant_types: [...new Set(grants)], ...responseTypes(flow, all), ...pkceOf(flow) },
    notes: [
      ...(flow === 'AuthorizationCode'
        ? [note('kept', 'Flow', 'PKCE is not required ("pkce": "optional")')]
        : []),
      ...(flow === 'AuthorizationCodeWithProofKey'
        ? [note('kept', 'Flow', 'PKCE may use the method plain ("pkce": "required")')]
        : []),
      ...(flow === 'Implicit' && or(flag, true)(fieldIn(all, 'AllowAccessTokensViaBrowser'))
        ? [
            note(
              'changed',
              'Flow',
              'access tokens from the authorization endpoint are valid for at most 10 minutes',
            ),
          ]
        : []),
    ],
  }
}

function responseTypes(flow: (typeof flows)[number], all: Fields): Document {
  if (flow !== 'Implicit') return {}
  const hasTokens = or(flag, true)(fieldIn(all, 'AllowAccessTokensViaBrowser'))
  return { response_types: hasTokens ? ['id_token token', 'id_token', 'token'] : ['id_token'] }
}

function pkceOf(flow: (typeof flows)[number]): Document {
  if (flow === 'AuthorizationCode') return { pkce: 'optional' }
  return flow === 'AuthorizationCodeWithProofKey' ? { pkce: 'required' } : {}
}

/** There, `idsrv` is the name of the server's own accounts. */
function readRestrictions(value: unknown): Reading {
  const schemes = or(texts, [])(value).map(scheme => (scheme === 'idsrv' ? localProvider : scheme))
  return { fields: { identity_provider_restrictions: schemes } }
}

function readLocalLogin(value: unknown, all: Fields): Reading {
  const restrictions = or(texts, [])(fieldIn(all, 'IdentityProviderRestrictions'))
  const isOpen = restrictions.length === 0 || restrictions.includes('idsrv')
  return { fields: { enable_local_login: or(flag, true)(value) && isOpen } }
}

export const clientRules: readonly FieldRule[] = [
  internal('Id'),
  ...clientNames,
  {
    field: 'ClientSecrets',
    becomes: ['client_secrets'],
    why: 'the hashes of shared secrets work as they are; certificates and assertions are refused',
    read: () => ({}),
  },
  {
    field: 'Flow',
    becomes: ['grant_types', 'response_types', 'pkce'],
    why: 'hybrid flows are refused',
    read: readFlow,
  },
  {
    field: 'AllowClientCredentialsOnly',
    becomes: ['grant_types'],
    why: 'adds "client_credentials"',
    read: () => ({}),
  },
  {
    field: 'AllowedCustomGrantTypes',
    becomes: ['grant_types'],
    why: 'an extension must implement each of them',
    read: () => ({}),
  },
  gone('AllowAccessToAllCustomGrantTypes', [false], {
    aliases: ['AllowAccessToAllGrantTypes'],
    why: 'it may use only the custom grant types that it names: add the others to "grant_types"',
  }),
  {
    field: 'AllowAccessTokensViaBrowser',
    becomes: ['response_types'],
    why: 'off: only "id_token"',
    read: () => ({}),
  },
  {
    field: 'AllowedScopes',
    becomes: ['scope'],
    why: 'with offline_access, "grant_types" also gets "refresh_token"',
    read: value => allowedScopes(value),
  },
  ...clientAddresses,
  copied('RequireConsent', 'require_consent', flag, { otherwise: true }),
  copied('AllowRememberConsent', 'allow_remember_consent', flag, { otherwise: true }),
  {
    field: 'IdentityProviderRestrictions',
    becomes: ['identity_provider_restrictions', 'enable_local_login'],
    why: 'without idsrv among them, local passwords are off',
    read: readRestrictions,
  },
  { field: 'EnableLocalLogin', becomes: ['enable_local_login'], read: readLocalLogin },
  ...tokenSettings(() => false),
  copied('UpdateAccessTokenClaimsOnRefresh', 'update_access_token_claims_on_refresh', flag, {
    otherwise: false,
    aliases: ['UpdateAccessTokenOnRefresh'],
  }),
  gone('PrefixClientClaims', [true], { why: 'claims of a client always have the prefix client_' }),
  gone('LogoutUri', [''], {
    why: 'front-channel sign-out is not supported, so it does not notice when a user signs out',
  }),
  internal('LogoutSessionRequired'),
  copied('IncludeJwtId', 'include_jwt_id', flag, { otherwise: false }),
  copied('AllowAccessToAllScopes', 'allow_access_to_all_scopes', flag, { otherwise: false }),
  copied('RequireSignOutPrompt', 'require_sign_out_prompt', flag, { otherwise: false }),
  {
    field: '(every client)',
    becomes: ['access_token_format', 'access_token_signed_response_alg'],
    why: 'APIs verify its access tokens as before; change it when their middleware can read RFC 9068',
    read: () => ({
      fields: { access_token_format: 'identityserver3', access_token_signed_response_alg: 'RS256' },
      notes: [
        note(
          'kept',
          'every client',
          'access tokens have the form of IdentityServer3 ("access_token_format")',
        ),
      ],
    }),
  },
]

export const scopeRules: readonly FieldRule[] = [
  internal('Id'),
  ...scopeSettings,
  copied('Type', 'kind', value => kinds[oneOf(['Identity', 'Resource'])(value)], { otherwise: 'resource' }),
  {
    field: 'Claims',
    becomes: ['claims', 'always_include_in_id_token'],
    why: 'its claims with AlwaysIncludeInIdToken are the second list',
    read: value => ({
      fields: { claims: claimNames(value), always_include_in_id_token: alwaysIncluded(value) },
    }),
  },
  copied('IncludeAllClaimsForUser', 'include_all_claims_for_user', flag, { otherwise: false }),
  internal('ClaimsRule'),
  { field: 'ScopeSecrets', becomes: ['secrets'], why: 'as for clients', read: () => ({}) },
  copied('AllowUnrestrictedIntrospection', 'allow_unrestricted_introspection', flag, { otherwise: false }),
]

const kinds = { Identity: 'identity', Resource: 'resource' } as const
