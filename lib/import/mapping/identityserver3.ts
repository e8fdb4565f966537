/** The rules for the fields of clients and scopes of IdentityServer3. */
import { localProvider } from '#lib/protocol/vocabulary.ts'
import type { Fields } from '../source/tables.ts'
import {
  allowedScopes,
  alwaysIncluded,
  claimNames,
  clientAddresses,
  clientNames,
  hybridResponseTypes,
  implicitResponseTypes,
  scopeSettings,
  shortAccessTokens,
  tokenSettings,
} from './client-values.ts'
import {
  copied,
  type FieldRule,
  flag,
  flagIn,
  gone,
  internal,
  note,
  oneOf,
  or,
  type Reading,
  readElsewhere,
  texts,
  textsIn,
} from './field-map.ts'

/** The flows in the order of their numbers. */
const flowNames = [
  'AuthorizationCode',
  'Implicit',
  'Hybrid',
  'ClientCredentials',
  'ResourceOwner',
  'Custom',
  'AuthorizationCodeWithProofKey',
  'HybridWithProofKey',
] as const

type Flow = {
  readonly grants: readonly string[]
  readonly refreshes: boolean
  /** Returns the response types of a client that names them. */
  readonly responseTypes?: (hasAccessTokens: boolean) => readonly string[]
  readonly pkce?: string
  /** A note about the PKCE setting of clients with this flow. */
  readonly note?: string
}

const hybrid = {
  grants: ['authorization_code', 'implicit'],
  refreshes: true,
  responseTypes: hybridResponseTypes,
} as const

/** The settings for each `Flow`. */
const flows: Readonly<Record<(typeof flowNames)[number], Flow>> = {
  AuthorizationCode: {
    grants: ['authorization_code'],
    refreshes: true,
    pkce: 'optional',
    note: 'PKCE is not required ("pkce": "optional")',
  },
  Implicit: { grants: ['implicit'], refreshes: false, responseTypes: implicitResponseTypes },
  Hybrid: {
    ...hybrid,
    pkce: 's256-or-nonce',
    note: 'a request needs PKCE or a nonce ("pkce": "s256-or-nonce")',
  },
  ClientCredentials: { grants: ['client_credentials'], refreshes: false },
  ResourceOwner: { grants: ['password'], refreshes: true },
  Custom: { grants: [], refreshes: true },
  AuthorizationCodeWithProofKey: {
    grants: ['authorization_code'],
    refreshes: true,
    pkce: 'required',
    note: 'PKCE may use the method plain ("pkce": "required")',
  },
  HybridWithProofKey: {
    ...hybrid,
    pkce: 'required',
    note: 'PKCE may use the method plain ("pkce": "required")',
  },
}

function readFlow(value: unknown, all: Fields): Reading {
  const name = or(oneOf(flowNames), 'Implicit')(value)
  const flow = flows[name]
  const isOffline =
    textsIn(all, 'AllowedScopes').includes('offline_access') || flagIn(all, 'AllowAccessToAllScopes', false)
  const grants = [
    ...flow.grants,
    ...(name === 'Custom' ? textsIn(all, 'AllowedCustomGrantTypes') : []),
    ...(flagIn(all, 'AllowClientCredentialsOnly', false) ? ['client_credentials'] : []),
    ...(isOffline && flow.refreshes ? ['refresh_token'] : []),
  ]
  const hasAccessTokens = flow.responseTypes !== undefined && flagIn(all, 'AllowAccessTokensViaBrowser', true)
  return {
    fields: {
      grant_types: [...new Set(grants)],
      ...(flow.responseTypes ? { response_types: flow.responseTypes(hasAccessTokens) } : {}),
      ...(flow.pkce === undefined ? {} : { pkce: flow.pkce }),
    },
    notes: [
      ...(flow.note === undefined ? [] : [note('kept', 'Flow', flow.note)]),
      ...(hasAccessTokens ? [shortAccessTokens('Flow')] : []),
    ],
  }
}

/** Reads the allowed identity providers. In IdentityServer3, `idsrv` is the name of the server's own accounts. */
function readRestrictions(value: unknown): Reading {
  const schemes = or(texts, [])(value).map(scheme => (scheme === 'idsrv' ? localProvider : scheme))
  return { fields: { identity_provider_restrictions: schemes } }
}

function readLocalLogin(value: unknown, all: Fields): Reading {
  const restrictions = textsIn(all, 'IdentityProviderRestrictions')
  const isOpen = restrictions.length === 0 || restrictions.includes('idsrv')
  return { fields: { enable_local_login: or(flag, true)(value) && isOpen } }
}

export const clientRules: readonly FieldRule[] = [
  internal('Id'),
  ...clientNames,
  readElsewhere(
    'ClientSecrets',
    ['client_secrets'],
    'the hashes of shared secrets work as they are; certificates and assertions are refused',
  ),
  {
    field: 'Flow',
    becomes: ['grant_types', 'response_types', 'pkce'],
    read: readFlow,
  },
  readElsewhere('AllowClientCredentialsOnly', ['grant_types'], 'adds "client_credentials"'),
  readElsewhere('AllowedCustomGrantTypes', ['grant_types'], 'an extension must implement each of them'),
  gone('AllowAccessToAllCustomGrantTypes', [false], {
    aliases: ['AllowAccessToAllGrantTypes'],
    why: 'it may use only the custom grant types that it names: add the others to "grant_types"',
  }),
  readElsewhere('AllowAccessTokensViaBrowser', ['response_types'], 'off: no response type with "token"'),
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
  readElsewhere('ScopeSecrets', ['secrets'], 'as for clients'),
  copied('AllowUnrestrictedIntrospection', 'allow_unrestricted_introspection', flag, { otherwise: false }),
]

const kinds = { Identity: 'identity', Resource: 'resource' } as const
