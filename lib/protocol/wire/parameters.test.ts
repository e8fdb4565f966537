import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parametersOf, parseAcrValues, parseUiLocales } from './parameters.ts'

test('reads one value, all values and the names in the order sent', () => {
  const parameters = parametersOf([
    ['resource', 'https://a.example'],
    ['scope', 'openid'],
    ['resource', 'https://b.example'],
  ])
  assert.equal(parameters.one('scope'), 'openid')
  assert.deepEqual(parameters.all('resource'), ['https://a.example', 'https://b.example'])
  assert.deepEqual(parameters.names, ['resource', 'scope'])
})

test('an empty parameter counts as absent, but is among the values as sent', () => {
  const parameters = parametersOf([['code_verifier', '']])
  assert.equal(parameters.one('code_verifier'), null)
  assert.deepEqual(parameters.all('code_verifier'), [''])
})

for (const name of ['missing', '__proto__', 'constructor', 'toString']) {
  test(`a parameter that was not sent is absent: ${name}`, () => {
    const parameters = parametersOf([])
    assert.equal(parameters.one(name), null)
    assert.deepEqual(parameters.all(name), [])
  })
}

test('AZ-20 reads the provider, the tenant and the rest', () => {
  const expected = { idp: 'corp', tenant: 'blue', others: ['urn:mfa', 'level2'] }
  assert.deepEqual(parseAcrValues('urn:mfa idp:corp tenant:blue level2 urn:mfa'), expected)
})

test('AZ-20 the name of a provider cannot contain a URL or a path', () => {
  for (const name of [
    '../',
    '..',
    'https://evil.example',
    'a/b',
    'a\\b',
    '//evil',
    '',
    'a'.repeat(101),
    'x\u0000',
  ]) {
    assert.equal(parseAcrValues(`idp:${name}`).idp, null, name)
  }
})

test('AZ-20 the name of a tenant is any text without blanks', () => {
  for (const name of ['a/b', 'urn:acme:1', '"quoted"', 'https://acme.example', 'münchen', 'a'.repeat(290)]) {
    assert.equal(parseAcrValues(`tenant:${name} level2`).tenant, name)
  }
  assert.equal(parseAcrValues('tenant:').tenant, null)
})

test('AZ-21 keeps language tags in the order of preference', () => {
  assert.deepEqual(parseUiLocales('de-CH-1996 de fr zh-Hant-TW'), ['de-CH-1996', 'de', 'fr', 'zh-Hant-TW'])
  assert.deepEqual(parseUiLocales('en ../../etc/passwd de'), ['en', 'de'])
  assert.deepEqual(parseUiLocales(''), [])
})

test('AZ-21 reads at most ten, and nothing that could be a path', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('en', 'de-DE', '../..', 'en/..'))), words => {
      const tags = parseUiLocales(words.join(' '))
      assert.ok(tags.length <= 10)
      for (const tag of tags) assert.match(tag, /^[A-Za-z0-9-]+$/)
    }),
  )
})
