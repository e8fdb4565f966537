import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clientFromMetadata, clientKindOf, clientMetadataSchema, legacySwitchesOf } from './client.ts'
import { plainMessage } from './configuration-problems.ts'
import { scopeFromMetadata, scopeMetadataSchema } from './scope.ts'

const redirect = { client_id: 'app', redirect_uris: ['https://app.example/cb'] }

/** Returns `path: message` of every problem. */
function problems(metadata: unknown): readonly string[] {
  const read = clientMetadataSchema.safeParse(metadata)
  return read.success ? [] : read.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
}

test('a client with only an ID and a redirect URI gets the defaults', () => {
  const client = clientFromMetadata(redirect)
  assert.deepEqual(client.grantTypes, ['authorization_code'])
  assert.deepEqual(client.responseTypes, ['code'])
  assert.equal(client.pkce, 'required-s256')
  assert.equal(client.authorizationCodeLifetimeSeconds, 60)
  assert.equal(client.requireConsent, true)
  assert.equal(client.allowRememberConsent, true)
  assert.equal(client.accessTokenType, 'jwt')
  assert.equal(client.accessTokenSignedResponseAlg, 'ES256')
  assert.equal(client.idTokenSignedResponseAlg, 'RS256')
  assert.equal(client.tokenEndpointAuthMethod, null)
  assert.equal(client.clientName, 'app')
  assert.deepEqual(client.scopes, [])
})

test('a document with all defaults filled in reads as the same client', () => {
  const filled = JSON.parse(
    JSON.stringify(clientMetadataSchema.parse({ ...redirect, scope: 'openid  api openid' })),
  )
  assert.deepEqual(clientFromMetadata(filled), clientFromMetadata({ ...redirect, scope: 'openid api' }))
})

test('a client without redirect-based grant types has no response types', () => {
  assert.deepEqual(
    clientFromMetadata({ client_id: 'm', grant_types: ['client_credentials'] }).responseTypes,
    [],
  )
})

test('the sliding lifetime of a refresh token never exceeds the absolute one', () => {
  assert.equal(
    clientFromMetadata({ ...redirect, absolute_refresh_token_lifetime: 60 })
      .slidingRefreshTokenLifetimeSeconds,
    60,
  )
})

const refused: ReadonlyArray<readonly [string, object, RegExp]> = [
  [
    'an unknown field',
    { redirect_uri: 'x' },
    /^: "redirect_uri" is not a known client field; did you mean "redirect_uris"\?$/,
  ],
  ['a field in another spelling', { requireConsent: false }, /did you mean "require_consent"\?/],
  ['a misspelt grant', { grant_types: ['authorisation_code'] }, /did you mean "authorization_code"\?/],
  ['no redirect URI', { redirect_uris: [] }, /^redirect_uris: needs at least one/],
  [
    'AZ-07 a plain http address',
    { redirect_uris: ['http://app.example/cb'] },
    /^redirect_uris\.0: must use https/,
  ],
  [
    'AZ-07 a plain http address after sign-out',
    { post_logout_redirect_uris: ['http://a.example'] },
    /^post_logout_redirect_uris\.0/,
  ],
  [
    'a token response without the implicit grant',
    { response_types: ['code', 'token'] },
    /^response_types: "token" needs "implicit"/,
  ],
  [
    'the implicit grant without response types',
    { grant_types: ['implicit'] },
    /^response_types: must be given/,
  ],
  [
    'a code response without its grant',
    { grant_types: ['implicit'], response_types: ['code', 'token'] },
    /"code" needs/,
  ],
  ['an unknown response type', { response_types: ['code code'] }, /^response_types\.0: /],
  [
    'TK-11 client_credentials for a public client',
    { grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' },
    /^grant_types: "client_credentials" is for confidential clients only/,
  ],
  [
    'password for a public client',
    { grant_types: ['password'], token_endpoint_auth_method: 'none' },
    /"password" is for confidential/,
  ],
  [
    'CD-08 a public client without PKCE',
    { token_endpoint_auth_method: 'none', pkce: 'optional' },
    /^pkce: must be/,
  ],
  [
    'a confirmation of every sign-out, and of none',
    { require_sign_out_prompt: true, sign_out_prompt: 'if-required' },
    /^sign_out_prompt: must be "always" or absent/,
  ],
  [
    'CD-08 a public client with a nonce in place of PKCE',
    { token_endpoint_auth_method: 'none', pkce: 's256-or-nonce' },
    /^pkce: must be/,
  ],
  [
    'a refresh grant that nothing leads to',
    { grant_types: ['refresh_token', 'client_credentials'] },
    /"refresh_token" needs a grant/,
  ],
  [
    'CD-05 a code that lives over ten minutes',
    { authorization_code_lifetime: 601 },
    /^authorization_code_lifetime: .*600/,
  ],
  ['a lifetime of nothing', { access_token_lifetime: 0 }, /^access_token_lifetime: /],
  ['a lifetime in fractions', { access_token_lifetime: 1.5 }, /whole number of seconds/],
  ['a lifetime as text', { access_token_lifetime: '3600' }, /^access_token_lifetime: /],
  ['a scope list with a forbidden character', { scope: 'openid "quoted"' }, /^scope: must be scope names/],
  [
    'an origin with a path',
    { allowed_cors_origins: ['https://app.example/'] },
    /^allowed_cors_origins\.0: must be an origin/,
  ],
  ['TK-15 the null origin', { allowed_cors_origins: ['null'] }, /^allowed_cors_origins\.0/],
  [
    'CN-09 a name that reverses its text',
    { client_name: 'Bank\u202eknaB' },
    /^client_name: must not contain control or direction/,
  ],
  ['CN-09 a name that is too long', { client_name: 'x'.repeat(201) }, /^client_name: /],
  [
    'a logo that is a script',
    { logo_uri: 'javascript:alert(1)' },
    /^logo_uri: must be an http or https address/,
  ],
  [
    'private keys in jwks',
    { jwks: { keys: [{ kty: 'EC', d: 'x' }] } },
    /^jwks\.keys\.0: must not contain private key material/,
  ],
  ['a secret in the document', { client_secret: 'x' }, /"client_secret" is not a known client field/],
]

for (const [name, change, message] of refused) {
  test(`refuses ${name}`, () => {
    const found = problems({ ...redirect, ...change })
    assert.ok(
      found.some(problem => message.test(problem)),
      found.join('\n') || 'accepted',
    )
  })
}

const accepted: ReadonlyArray<readonly [string, object]> = [
  [
    'every built-in grant except implicit',
    { grant_types: ['authorization_code', 'client_credentials', 'password', 'refresh_token'] },
  ],
  ['a custom grant', { grant_types: ['urn:example:params:oauth:grant-type:card'] }],
  ['implicit', { grant_types: ['implicit'], response_types: ['token', 'id_token token', 'id_token'] }],
  ['a public client', { token_endpoint_auth_method: 'none' }],
  ['a code that lives ten minutes', { authorization_code_lifetime: 600 }],
  ['any JSON as claims', { claims: { tier: 'gold', limits: { daily: [1, null, true] } } }],
  ['a name in several scripts', { client_name: 'Späti 購買 – قهوة' }],
]

for (const [name, change] of accepted) {
  test(`accepts ${name}`, () => assert.deepEqual(problems({ ...redirect, ...change }), []))
}

test('a scope has safe defaults and refuses unknown fields', () => {
  assert.deepEqual(scopeFromMetadata({ name: 'orders' }), {
    name: 'orders',
    kind: 'resource',
    enabled: true,
    displayName: null,
    description: null,
    localized: {},
    required: false,
    emphasize: false,
    claims: [],
    alwaysIncludeInIdToken: [],
    includeAllClaimsForUser: false,
    allowUnrestrictedIntrospection: false,
    showInDiscovery: true,
    audience: null,
    accessTokenFormat: null,
  })
  assert.match(
    scopeMetadataSchema.safeParse({ name: 'a', emphasise: true }).error?.issues[0]?.message ?? '',
    /did you mean "emphasize"\?/,
  )
  assert.equal(scopeMetadataSchema.safeParse({ name: 'two words' }).success, false)
})

test('the localized texts of a scope require valid language tags', () => {
  const scope = scopeFromMetadata({ name: 'orders', localized: { 'pt-BR': { display_name: 'Ver pedidos' } } })
  assert.deepEqual(scope.localized, { 'pt-BR': { displayName: 'Ver pedidos', description: null } })
  for (const tag of ['pt_BR', 'PT-br', 'portuguese language']) {
    const document = { name: 'orders', localized: { [tag]: { display_name: 'Ver pedidos' } } }
    const message = scopeMetadataSchema.safeParse(document, { error: plainMessage }).error?.issues[0]?.message
    assert.match(message ?? '', /names no language/, tag)
  }
})

const callback = { redirect_uris: ['https://app.example/cb'] }
const inApp = { application_type: 'native', redirect_uris: ['com.example.app:/cb'] }
const open = { token_endpoint_auth_method: 'none' }

const kinds = [
  ['machine', { grant_types: ['client_credentials'] }],
  ['native', { ...inApp, ...open }],
  ['native', inApp],
  ['spa', { ...callback, ...open }],
  ['spa', { ...callback, ...open, grant_types: ['authorization_code', 'refresh_token'] }],
  ['web', callback],
  ['web', { ...callback, grant_types: ['authorization_code', 'client_credentials'] }],
  ['legacy', { grant_types: ['password'] }],
  ['legacy', { ...callback, ...open, grant_types: ['implicit'], response_types: ['id_token token'] }],
  ['legacy', { ...inApp, ...open, grant_types: ['implicit'], response_types: ['token'] }],
  ['legacy', { ...callback, grant_types: ['client_credentials', 'password'] }],
] as const

for (const [kind, metadata] of kinds) {
  test(`a client with ${JSON.stringify(metadata)} is of the kind ${kind}`, () => {
    const document = JSON.parse(JSON.stringify({ client_id: 'it', ...metadata }))
    assert.equal(clientKindOf(clientFromMetadata(document)), kind)
  })
}

const web = { client_id: 'web', redirect_uris: ['https://app.example/cb'] }
const spa = {
  ...web,
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
}

const rows: ReadonlyArray<readonly [string, Readonly<Record<string, unknown>>, readonly string[]]> = [
  ['a client with defaults', web, []],
  ['the password grant', { ...web, grant_types: ['password'] }, ['password_grant']],
  [
    'the implicit flow',
    { ...web, grant_types: ['implicit'], response_types: ['token'] },
    ['implicit_tokens'],
  ],
  [
    'the implicit flow with only an ID token',
    { ...web, grant_types: ['implicit'], response_types: ['id_token'] },
    [],
  ],
  ['PKCE with the method plain', { ...web, pkce: 'required' }, ['plain_code_challenge']],
  ['optional PKCE', { ...web, pkce: 'optional' }, ['optional_pkce']],
  ['PKCE or a nonce', { ...web, pkce: 's256-or-nonce' }, []],
  [
    'a machine client without redirects',
    { client_id: 'm', grant_types: ['client_credentials'], pkce: 'optional' },
    [],
  ],
  [
    'a browser app with reusable refresh tokens',
    { ...spa, refresh_token_usage: 'reuse' },
    ['reused_refresh_tokens'],
  ],
  ['a browser app with rotating refresh tokens', spa, []],
  ['a client with every scope', { ...web, allow_access_to_all_scopes: true }, ['every_scope']],
]

describe('flows that standards advise against', () => {
  for (const [title, metadata, expected] of rows) {
    test(`finds the flows to avoid of ${title}`, () =>
      assert.deepEqual(legacySwitchesOf(clientFromMetadata(metadata)), expected))
  }
})
