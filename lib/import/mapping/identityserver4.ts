/** The rules for the fields of clients of IdentityServer4. */
import { signingAlgorithms } from '#lib/protocol/vocabulary.ts'
import type { Fields } from '../source/tables.ts'
import {
  allowedScopes,
  clientAddresses,
  clientNames,
  hybridResponseTypes,
  implicitResponseTypes,
  isSliding,
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
  or,
  type Reading,
  readElsewhere,
  text,
  texts,
  textsIn,
  WrongValue,
  wholeNumber,
} from './field-map.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const withoutRefresh: readonly string[] = ['implicit', 'client_credentials']

function readGrantTypes(value: unknown, all: Fields): Reading {
  const given = or(texts, [])(value)
  const kept = given.filter(grant => grant !== deviceGrant)
  const grants = [
    ...new Set(kept.flatMap(grant => (grant === 'hybrid' ? ['authorization_code', 'implicit'] : [grant]))),
  ]
  const isOffline = flagIn(all, 'AllowOfflineAccess', false)
  const refreshes = isOffline && grants.some(grant => !withoutRefresh.includes(grant))
  const hasAccessTokens = grants.includes('implicit') && flagIn(all, 'AllowAccessTokensViaBrowser', false)
  const responseTypes = [
    ...(given.includes('authorization_code') ? ['code'] : []),
    ...(given.includes('implicit') ? implicitResponseTypes(hasAccessTokens) : []),
    ...(given.includes('hybrid') ? hybridResponseTypes(hasAccessTokens) : []),
  ]
  return {
    fields: {
      grant_types: refreshes ? [...grants, 'refresh_token'] : grants,
      ...(grants.includes('implicit') ? { response_types: responseTypes } : {}),
    },
    notes: [
      ...(kept.length < given.length
        ? [note('left_out', 'AllowedGrantTypes', 'the device flow is not supported')]
        : []),
      ...(hasAccessTokens ? [shortAccessTokens('AllowedGrantTypes')] : []),
    ],
  }
}

const isPublic = (all: Fields) => !flagIn(all, 'RequireClientSecret', true)

function readPkce(value: unknown, all: Fields): Reading {
  const isPlain = flagIn(all, 'AllowPlainTextPkce', false)
  if (or(flag, true)(value)) return { fields: { pkce: isPlain ? 'required' : 'required-s256' } }
  const hasCode = textsIn(all, 'AllowedGrantTypes').some(grant =>
    ['authorization_code', 'hybrid'].includes(grant),
  )
  if (!hasCode) return {}
  return isPublic(all)
    ? { notes: [note('changed', 'RequirePkce', 'a client without a secret must use PKCE')] }
    : {
        fields: { pkce: 'optional' },
        notes: [note('kept', 'RequirePkce', 'PKCE is not required ("pkce": "optional")')],
      }
}

function readAlgorithms(value: unknown): Reading {
  const names = (typeof value === 'string' ? value.split(',') : or(texts, [])(value)).map(name => name.trim())
  const known = signingAlgorithms.find(algorithm => names.includes(algorithm))
  if (names.every(name => name === '')) return {}
  if (known === undefined)
    throw new WrongValue(`none of them is known; there are ${signingAlgorithms.join(', ')}`)
  return { fields: { id_token_signed_response_alg: known } }
}

const noSignOut =
  'front-channel and back-channel sign-out are not supported, so it does not notice when a user signs out'

export const clientRules4: readonly FieldRule[] = [
  ...['Id', 'Created', 'Updated', 'LastAccessed', 'NonEditable', 'Description'].map(internal),
  ...clientNames,
  {
    field: 'ProtocolType',
    becomes: [],
    why: 'WS-Federation and SAML are not supported',
    read: value => {
      if (or(text, 'oidc')(value) === 'oidc') return {}
      throw new WrongValue('only OpenID Connect and OAuth are supported')
    },
  },
  readElsewhere('ClientSecrets', ['client_secrets'], 'the hashes of shared secrets work as they are'),
  {
    field: 'RequireClientSecret',
    becomes: ['token_endpoint_auth_method'],
    why: 'off: "none"',
    read: (_value, all) => (isPublic(all) ? { fields: { token_endpoint_auth_method: 'none' } } : {}),
  },
  {
    field: 'AllowedGrantTypes',
    becomes: ['grant_types', 'response_types'],
    why: 'the device flow is left out',
    read: readGrantTypes,
  },
  readElsewhere('AllowAccessTokensViaBrowser', ['response_types'], 'off: no response type with "token"'),
  { field: 'RequirePkce', becomes: ['pkce'], read: readPkce },
  readElsewhere('AllowPlainTextPkce', ['pkce'], '"required"'),
  {
    field: 'AllowedScopes',
    becomes: ['scope'],
    read: (value, all) => allowedScopes(value, { isOffline: flagIn(all, 'AllowOfflineAccess', false) }),
  },
  readElsewhere('AllowOfflineAccess', ['scope', 'grant_types'], 'adds offline_access and refresh_token'),
  ...clientAddresses,
  copied('RequireConsent', 'require_consent', flag, { otherwise: false }),
  copied('AllowRememberConsent', 'allow_remember_consent', flag, { otherwise: true }),
  {
    field: 'ConsentLifetime',
    becomes: ['consent_lifetime'],
    read: value => (value === null ? {} : { fields: { consent_lifetime: wholeNumber(value) } }),
  },
  copied('IdentityProviderRestrictions', 'identity_provider_restrictions', texts, { otherwise: [] }),
  copied('EnableLocalLogin', 'enable_local_login', flag, { otherwise: true }),
  ...tokenSettings(isSliding),
  copied('UpdateAccessTokenClaimsOnRefresh', 'update_access_token_claims_on_refresh', flag, {
    otherwise: false,
  }),
  gone('ClientClaimsPrefix', ['client_'], { why: 'claims of a client always have the prefix client_' }),
  {
    field: 'AllowedIdentityTokenSigningAlgorithms',
    becomes: ['id_token_signed_response_alg'],
    read: readAlgorithms,
  },
  copied('AlwaysIncludeUserClaimsInIdToken', 'always_include_user_claims_in_id_token', flag, {
    otherwise: false,
  }),
  gone('FrontChannelLogoutUri', [''], { why: noSignOut }),
  gone('BackChannelLogoutUri', [''], { why: noSignOut }),
  internal('FrontChannelLogoutSessionRequired'),
  internal('BackChannelLogoutSessionRequired'),
  internal('IncludeJwtId'),
  gone('PairWiseSubjectSalt', [''], { why: 'every client gets the same subject of a user' }),
  gone('UserSsoLifetime', [], { why: 'a session is valid for all clients equally: send max_age instead' }),
  gone('RequireRequestObject', [false], { why: 'request objects are not supported' }),
  internal('UserCodeType'),
  internal('DeviceCodeLifetime'),
  internal('Properties'),
  {
    field: '(every client)',
    becomes: ['access_token_signed_response_alg'],
    why: 'IdentityServer4 signs with RS256',
    read: () => ({
      fields: { access_token_signed_response_alg: 'RS256' },
      notes: [
        note(
          'kept',
          'every client',
          'access tokens are signed with RS256 ("access_token_signed_response_alg")',
        ),
        note(
          'changed',
          'every client',
          [
            'in access tokens scope is one text, and without a user "sub" is the client ID, so an API must not take each "sub" for a user;',
            '"access_token_format": "identityserver3" has a list, no such "sub", and the type JWT',
          ].join(' '),
        ),
      ],
    }),
  },
]
