import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentProblems } from './document-problems.ts'

const pin = { grantType: 'urn:example:device-pin' }
const own = 'authorization_code, implicit, client_credentials, password, refresh_token'
const clientsWith = (...grantTypes: readonly unknown[]) => ({ clients: [{}, { grant_types: grantTypes }] })

const problems = (document: unknown, customGrants: readonly { readonly grantType: string }[]) =>
  documentProblems(document, { siteName: 'Harbour', customGrants })

test('an unknown grant type is reported with its path and the available ones', () => {
  assert.deepEqual(problems(clientsWith('password', 'urn:foo:bar', 'hybrid'), [pin]), [
    `clients[1].grant_types[1]: "urn:foo:bar" is not a known grant type; there are ${own}, urn:example:device-pin.`,
    `clients[1].grant_types[2]: "hybrid" is not a known grant type; there are ${own}, urn:example:device-pin.`,
  ])
})

test('a grant type of an extension is accepted, and a similar one is suggested', () => {
  assert.deepEqual(problems(clientsWith(pin.grantType), [pin]), [])
  assert.deepEqual(problems(clientsWith('urn:example:devicepn'), [pin]), [
    'clients[1].grant_types[0]: "urn:example:devicepn" is not a known grant type; did you mean "urn:example:device-pin"?',
  ])
})

test('a value that the schema refuses is reported only there', () => {
  assert.deepEqual(problems(clientsWith('authorisation_code', 'a b', 7, null), []), [])
  for (const document of [null, [], { clients: 1 }, { clients: [1, { grant_types: 'password' }] }])
    assert.deepEqual(problems(document, []), [])
})
