import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readConfiguration } from './configuration-file.ts'
import { sentence } from './configuration-problems.ts'
import { configurationJsonSchema, fieldTables, withFieldTable } from './generated-documents.ts'

const client = {
  client_id: 'app',
  client_secret: 'a chosen secret',
  redirect_uris: ['https://app.example/cb'],
}
const other = { ...client, client_id: 'other' }
const provider = { scheme: 'corp', issuer: 'https://id.corp.example', client_id: 'latchkey' }

function problems(document: unknown): readonly string[] {
  const read = readConfiguration(document)
  return read.kind === 'valid' ? [] : read.problems
}

const refused: ReadonlyArray<readonly [string, unknown, string | RegExp]> = [
  [
    'a fragment, at its place in the file',
    { clients: [client, other, { ...client, client_id: 'x', redirect_uris: ['https://a.example/#'] }] },
    'clients[2].redirect_uris[0]: must not have a fragment',
  ],
  [
    'an unknown section',
    { client: [] },
    'the file: "client" is not a known section; did you mean "clients"?',
  ],
  [
    'an unknown client field',
    { clients: [{ ...client, redirect_uri: '' }] },
    'clients[0]: "redirect_uri" is not a known client field; did you mean "redirect_uris"?',
  ],
  [
    'an unknown scope field',
    { scopes: [{ name: 'a', emphasise: true }] },
    'scopes[0]: "emphasise" is not a known scope field; did you mean "emphasize"?',
  ],
  [
    'a provider that is not asked for openid',
    { identity_providers: [{ ...provider, scope: 'profile groups' }] },
    'identity_providers[0].scope: must contain openid.',
  ],
  [
    'a claim of every ID token that the scope does not have',
    { scopes: [{ name: 'a', claims: ['name'], always_include_in_id_token: ['name', 'email'] }] },
    'scopes[0].always_include_in_id_token[1]: "email" is not in claims of this scope.',
  ],
  [
    'a client with only the accounts of this server, and without them',
    {
      clients: [
        {
          client_id: 'a',
          token_endpoint_auth_method: 'none',
          redirect_uris: ['https://a.example/'],
          identity_provider_restrictions: ['latchkey'],
          enable_local_login: false,
        },
      ],
    },
    'clients[0].identity_provider_restrictions[0]: "latchkey" needs enable_local_login.',
  ],
  [
    'an unknown user field',
    { users: [{ username: 'a', passwort: 'x' }] },
    'users[0]: "passwort" is not a known user field; did you mean "password"?',
  ],
  [
    'an unknown provider field',
    { identity_providers: [{ ...provider, domain: [] }] },
    'identity_providers[0]: "domain" is not a known identity provider field; did you mean "domains"?',
  ],
  ['a document that is a list', [], 'the file: must be an object in { }'],
  [
    'a secret of a scope that has the name of a client',
    { clients: [client], scopes: [{ name: 'app', secrets: ['long enough'] }] },
    'scopes[0].secrets: must be empty: the client "app" introspects under that name',
  ],
  [
    'a client id used twice',
    { clients: [client, client] },
    'clients[1].client_id: "app" is used twice; the other is clients[0].client_id',
  ],
  [
    'TK-11 a sub that is a client id',
    { clients: [client], users: [{ username: 'a', sub: 'app' }] },
    'users[0].sub: "app" is used twice; the other is clients[0].client_id',
  ],
  [
    'AU-17 one name in two spellings',
    { users: [{ username: 'Alice' }, { username: 'ａlice' }] },
    'users[1].username: "ａlice" is the same name as "Alice" in users[0].username',
  ],
  [
    'a scope used twice',
    { scopes: [{ name: 'a' }, { name: 'a' }] },
    'scopes[1].name: "a" is used twice; the other is scopes[0].name',
  ],
  [
    'a provider used twice',
    { identity_providers: [provider, provider] },
    'identity_providers[1].scheme: "corp" is used twice; the other is identity_providers[0].scheme',
  ],
  [
    'a domain of two providers',
    {
      identity_providers: [
        { ...provider, domains: ['corp.example'] },
        { ...provider, scheme: 'b', domains: ['CORP.example'] },
      ],
    },
    'identity_providers[1].domains[0]: "CORP.example" is the same name as "corp.example" in identity_providers[0].domains[0]',
  ],
  [
    'an undefined scope',
    { clients: [{ ...client, scope: 'openid profil' }] },
    'clients[0].scope: "profil" is not a known scope; did you mean "profile"?',
  ],
  [
    'scopes with commas between them',
    { clients: [{ ...client, scope: 'openid,profile' }] },
    'clients[0].scope: "openid,profile" is not a known scope; put spaces between scopes, no commas',
  ],
  [
    'an undefined provider',
    { clients: [{ ...client, identity_provider_restrictions: ['crop'] }], identity_providers: [provider] },
    'clients[0].identity_provider_restrictions[0]: "crop" is not a known identity provider; did you mean "corp"?',
  ],
  [
    'a standard scope of another kind',
    { scopes: [{ name: 'email', kind: 'resource' }] },
    'scopes[0].kind: must be "identity": "email" is a standard scope',
  ],
  [
    'LIM-05 a scope with a secret that has the name of a client',
    {
      clients: [client],
      scopes: [{ name: client.client_id, kind: 'resource', secrets: ['a secret of the API'] }],
    },
    `scopes[0].secrets: must be empty: the client "${client.client_id}" introspects under that name`,
  ],
  [
    'TK-04 a confidential client without a secret',
    { clients: [{ ...client, client_secret: undefined }] },
    'clients[0].client_secret: is missing; a public client says "token_endpoint_auth_method": "none"',
  ],
  [
    'TK-04 a public client with a secret',
    { clients: [{ ...client, token_endpoint_auth_method: 'none' }] },
    /^clients\[0\]\.client_secret: must not be given to a public client/,
  ],
  [
    'a short secret',
    { clients: [{ ...client, client_secret: 'short' }] },
    /^clients\[0\]\.client_secret: must have at least 8/,
  ],
  [
    'AU-01 a short password',
    { users: [{ username: 'a', password: 'short' }] },
    'users[0].password: must have at least 8 characters',
  ],
  [
    'JW-15 a reserved claim of a user',
    { users: [{ username: 'a', claims: { name: 'A', sub: 'x' } }] },
    'users[0].claims.sub: "sub" is set by the server and cannot be given',
  ],
  [
    'JW-14 a sub with characters outside ASCII',
    { users: [{ username: 'a', sub: 'ä' }] },
    /^users\[0\]\.sub: /,
  ],
  [
    'a provider over plain http',
    { identity_providers: [{ ...provider, issuer: 'http://id.corp.example' }] },
    /^identity_providers\[0\]\.issuer: must be an https address/,
  ],
  [
    'a provider that takes our own name',
    { identity_providers: [{ ...provider, scheme: 'latchkey' }] },
    /^identity_providers\[0\]\.scheme: "latchkey" names/,
  ],
  [
    'AZ-20 a scheme that is a path',
    { identity_providers: [{ ...provider, scheme: '../x' }] },
    /^identity_providers\[0\]\.scheme: /,
  ],
]

for (const [name, document, message] of refused) {
  test(`refuses ${name}`, () => {
    const found = problems(JSON.parse(JSON.stringify(document)))
    assert.ok(
      found.some(problem =>
        typeof message === 'string' ? problem === sentence(message) : message.test(problem),
      ),
      found.join('\n') || 'accepted',
    )
  })
}

test('a client can list the scope of the admin API, which is built in', () => {
  assert.deepEqual(problems({ clients: [{ ...client, scope: 'latchkey.admin' }] }), [])
})

test('reports all problems together', () => {
  const document = {
    clients: [{ ...client, pkce: 'no' }],
    users: [{ username: 'a', password: 'b' }],
    scopes: [{ name: 'a b' }],
  }
  assert.deepEqual(
    problems(document).map(problem => problem.split(':')[0]),
    ['clients[0].pkce', 'scopes[0].name', 'users[0].password'],
  )
})

test('reports problems across fields, entries and sections together', () => {
  const document = {
    clients: [
      { ...client, access_token_type: 'JWT', token_endpoint_auth_method: 'none' },
      { client_id: 'app', scope: 'profil', enabled: 'yes' },
      7,
    ],
    users: [
      { username: 'Alice', passwort: 'x' },
      { username: 'ALICE', password: 'short' },
    ],
    scopes: 'openid',
    provider: [],
  }
  assert.deepEqual(
    problems(document).map(problem => problem.split(': ')[0]),
    [
      'clients[0].access_token_type',
      'clients[0].client_secret',
      'clients[1].enabled',
      'clients[1].redirect_uris',
      'clients[1].client_secret',
      'clients[2]',
      'scopes',
      'users[0]',
      'users[1].password',
      'the file',
      'clients[1].client_id',
      'users[1].username',
      'clients[1].scope',
    ],
  )
  for (const problem of problems(document)) assert.match(problem, /[.?]$/)
})

test('accepts the example of the documentation', () => {
  const text = readFileSync(new URL('../../../examples/latchkey.json', import.meta.url), 'utf8')
  assert.deepEqual(problems(JSON.parse(text)), [])
})

for (const table of fieldTables) {
  test(`the documented table of the ${table.name} is up to date (npm run docs:write writes it)`, () => {
    const written = readFileSync(new URL(`../../../${table.path}`, import.meta.url), 'utf8')
    assert.equal(written, withFieldTable(written, table))
  })
}

test('the documented JSON Schema is up to date (npm run docs:write writes it)', () => {
  const written = readFileSync(new URL('../../../docs/latchkey.schema.json', import.meta.url), 'utf8')
  assert.deepEqual(JSON.parse(written), JSON.parse(JSON.stringify(configurationJsonSchema())))
})
