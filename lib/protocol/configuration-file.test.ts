import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readConfiguration } from './configuration-file.ts'
import { configurationJsonSchema } from './configuration-json-schema.ts'
import { sentence } from './configuration-problems.ts'

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
    'half a section name',
    { providers: [] },
    'the file: "providers" is not a known section; did you mean "identity_providers"?',
  ],
  [
    'two unknown fields, each in a sentence',
    { scopes: [{ name: 'a', audiense: 'x', qqqqqq: 1 }] },
    'scopes[0]: "audiense" is not a known scope field; did you mean "audience"? "qqqqqq" is not a known scope field',
  ],
  [
    'a secret of a scope that has the name of a client',
    { clients: [client], scopes: [{ name: 'app', secrets: ['long enough'] }] },
    'scopes[0].secrets: must be empty: the client "app" introspects under that name',
  ],
  ['a section that is no list', { clients: {} }, 'clients: must be a list in [ ]'],
  [
    'a text for a list',
    { clients: [{ ...client, redirect_uris: 'x' }] },
    'clients[0].redirect_uris: must be a list in [ ]',
  ],
  [
    'a client without a name',
    { clients: [{ ...client, client_id: undefined }] },
    'clients[0].client_id: is missing',
  ],
  ['an empty name', { clients: [{ ...client, client_id: '' }] }, 'clients[0].client_id: must not be empty'],
  [
    'a number in quotes',
    { clients: [{ ...client, access_token_lifetime: '3600' }] },
    'clients[0].access_token_lifetime: must be a number without quotes',
  ],
  [
    'half a second',
    { clients: [{ ...client, access_token_lifetime: 0.5 }] },
    'clients[0].access_token_lifetime: must be a whole number of seconds',
  ],
  [
    'a lifetime of years',
    { clients: [{ ...client, authorization_code_lifetime: 601 }] },
    'clients[0].authorization_code_lifetime: must be at most 600',
  ],
  [
    'a switch in quotes',
    { clients: [{ ...client, enabled: 'true' }] },
    'clients[0].enabled: must be true or false, without quotes',
  ],
  [
    'a list of numbers',
    { clients: [{ ...client, contacts: [1] }] },
    'clients[0].contacts[0]: must be a text in double quotes',
  ],
  [
    'a null',
    { users: [{ username: null }] },
    'users[0].username: must be a text in double quotes, or be left out',
  ],
  [
    'a word in other letters',
    { clients: [{ ...client, access_token_type: 'JWT' }] },
    'clients[0].access_token_type: "JWT" is not known; did you mean "jwt"?',
  ],
  [
    'half a word',
    { clients: [{ ...client, pkce: 'S256' }] },
    'clients[0].pkce: "S256" is not known; did you mean "required-s256"?',
  ],
  [
    'another word',
    { scopes: [{ name: 'a', kind: 'nonsense' }] },
    'scopes[0].kind: "nonsense" is not known; use one of "identity", "resource"',
  ],
  ['a scope of two words', { scopes: [{ name: 'a b' }] }, /^scopes\[0\]\.name: must be one word of ASCII/],
  [
    'a misspelt field of a secret',
    { scopes: [{ name: 'a', secrets: [{ value: 'long enough', expires: null }] }] },
    'scopes[0].secrets[0]: "expires" is not a known secret field; did you mean "expires_at"?',
  ],
  [
    'an end of a secret that is no time',
    { scopes: [{ name: 'a', secrets: [{ value: 'long enough', expires_at: 'tomorrow' }] }] },
    'scopes[0].secrets[0].expires_at: must be a time with its zone, such as "2027-01-01T00:00:00Z"',
  ],
  [
    'a short secret in a list',
    { scopes: [{ name: 'a', secrets: ['short'] }] },
    /^scopes\[0\]\.secrets\[0\]: must have at least 8/,
  ],
  [
    'a number for a secret',
    { scopes: [{ name: 'a', secrets: [12345678] }] },
    'scopes[0].secrets[0]: has none of the forms it may have',
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
    'a scope nobody defines',
    { clients: [{ ...client, scope: 'openid profil' }] },
    'clients[0].scope: "profil" is not a known scope; did you mean "profile"?',
  ],
  [
    'a provider nobody defines',
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
    'JW-15 a reserved claim of a person',
    { users: [{ username: 'a', claims: { name: 'A', sub: 'x' } }] },
    'users[0].claims.sub: is set by the server and cannot be given',
  ],
  ['JW-14 a sub that is no ASCII', { users: [{ username: 'a', sub: 'ä' }] }, /^users\[0\]\.sub: /],
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

test('lists every problem at once', () => {
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

test('one mistake hides no other: rules across fields, entries and sections all speak', () => {
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

test('no problem is told in the words of the library', () => {
  const wrong = [undefined, null, 7, 'x', true, [], {}, [7], { a: 1 }]
  const sections = {
    clients: client,
    users: { username: 'a' },
    scopes: { name: 'a' },
    identity_providers: provider,
  }
  const { properties = {} } = configurationJsonSchema()
  for (const [section, entry] of Object.entries(sections)) {
    const fields = Object.keys(JSON.parse(JSON.stringify(properties[section])).items.properties)
    for (const document of fields.flatMap(field => wrong.map(value => ({ ...entry, [field]: value })))) {
      for (const problem of problems({ [section]: [document] }))
        assert.doesNotMatch(problem, /Invalid|expected|received|Too (big|small)|pattern|undefined/, problem)
    }
  }
})

test('accepts the example of the documentation', () => {
  const text = readFileSync(new URL('../../examples/latchkey.json', import.meta.url), 'utf8')
  assert.deepEqual(problems(JSON.parse(text)), [])
})

test('the documented JSON Schema is up to date (write it with docs/write-schema.mjs)', () => {
  const written = readFileSync(new URL('../../docs/latchkey.schema.json', import.meta.url), 'utf8')
  assert.deepEqual(JSON.parse(written), JSON.parse(JSON.stringify(configurationJsonSchema())))
})
