import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leadsToAccessToken, leadsToIdToken, responseTypeNames, responseTypeRow } from './vocabulary.ts'

test('the parts of a response type are the words of its name', () => {
  for (const name of responseTypeNames) {
    const { code, idToken, token } = responseTypeRow(name)
    const words = [...(code ? ['code'] : []), ...(idToken ? ['id_token'] : []), ...(token ? ['token'] : [])]
    assert.equal(words.join(' ') || 'none', name)
  }
})

test('a code needs the authorization code grant, and a token in the response the implicit grant', () => {
  for (const name of responseTypeNames) {
    const { code, idToken, token, grantTypes } = responseTypeRow(name)
    const isEmpty = !code && !idToken && !token
    assert.equal(grantTypes.includes('authorization_code'), code || isEmpty, name)
    assert.equal(grantTypes.includes('implicit'), idToken || token, name)
  }
})

test('a code leads to both tokens, a part of the response only to its own', () => {
  const leads = responseTypeNames.map(name => [name, leadsToIdToken(name), leadsToAccessToken(name)])
  assert.deepEqual(leads, [
    ['code', true, true],
    ['token', false, true],
    ['id_token', true, false],
    ['id_token token', true, true],
    ['code id_token', true, true],
    ['code token', true, true],
    ['code id_token token', true, true],
    ['none', true, true],
  ])
})
