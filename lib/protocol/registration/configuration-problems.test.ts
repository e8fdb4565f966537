import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfiguration } from './configuration-file.ts'
import { sentence } from './configuration-problems.ts'
import { configurationJsonSchema } from './generated-documents.ts'

const client = {
  client_id: 'app',
  client_secret: 'a chosen secret',
  redirect_uris: ['https://app.example/cb'],
}
const provider = { scheme: 'corp', issuer: 'https://id.corp.example', client_id: 'latchkey' }

function problems(document: unknown): readonly string[] {
  const read = readConfiguration(JSON.parse(JSON.stringify(document)))
  return read.kind === 'valid' ? [] : read.problems
}

const sha256 = 'K7gNU3sdo+OL0wNhqoVWhr3g6s1xYv72ol/pe/Unols='
const refused: ReadonlyArray<readonly [string, unknown, string | RegExp]> = [
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
  ['a section that is not a list', { clients: {} }, 'clients: must be a list in [ ]'],
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
  [
    'an empty word of a closed list',
    { scopes: [{ name: 'x', kind: '' }] },
    'scopes[0].kind: must be one of "identity", "resource"',
  ],
  ['a scope of two words', { scopes: [{ name: 'a b' }] }, /^scopes\[0\]\.name: must be one word of ASCII/],
  [
    'a misspelt field of a secret',
    { scopes: [{ name: 'a', secrets: [{ value: 'long enough', expires: null }] }] },
    'scopes[0].secrets[0]: "expires" is not a known secret field; did you mean "expires_at"?',
  ],
  [
    'an invalid expiry of a secret',
    { scopes: [{ name: 'a', secrets: [{ value: 'long enough', expires_at: 'tomorrow' }] }] },
    'scopes[0].secrets[0].expires_at: must be a time with its zone, such as "2027-01-01T00:00:00Z"',
  ],
  [
    'a short secret in a list',
    { scopes: [{ name: 'a', secrets: ['short'] }] },
    /^scopes\[0\]\.secrets\[0\]: must have at least 8/,
  ],
  [
    'a secret and its hash',
    { scopes: [{ name: 'a', secrets: [{ value: 'long enough', sha256 }] }] },
    'scopes[0].secrets[0]: must have one of "value", "sha256" and "sha512"',
  ],
  [
    'an empty entry of secrets',
    { scopes: [{ name: 'a', secrets: [{}] }] },
    'scopes[0].secrets[0]: must have one of "value", "sha256" and "sha512"',
  ],
  [
    'a hash in hexadecimal',
    { scopes: [{ name: 'a', secrets: [{ sha256: Buffer.from(sha256, 'base64').toString('hex') }] }] },
    'scopes[0].secrets[0].sha256: must be the base64 of 256 bits: 44 characters',
  ],
  [
    'a hash of another length',
    { clients: [{ ...client, client_secrets: [{ sha512: sha256 }] }] },
    'clients[0].client_secrets[0].sha512: must be the base64 of 512 bits: 88 characters',
  ],
  [
    'the hash of an empty secret',
    { scopes: [{ name: 'a', secrets: [{ sha256: '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }] }] },
    'scopes[0].secrets[0].sha256: is the hash of an empty secret',
  ],
  [
    'a number for a secret',
    { scopes: [{ name: 'a', secrets: [12345678] }] },
    'scopes[0].secrets[0]: has none of the forms it may have',
  ],
]

for (const [name, document, message] of refused) {
  test(`describes the problem: ${name}`, () => {
    const found = problems(document)
    assert.equal(found.length, 1, found.join('\n'))
    if (typeof message === 'string') assert.equal(found[0], sentence(message))
    else assert.match(found[0] ?? '', message)
  })
}

test('no problem has a message of the validation library', () => {
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
