import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAcrValues } from './acr-values.ts'

test('AZ-20 reads the provider, the tenant and the rest', () => {
  const expected = { idp: 'corp', tenant: 'blue', others: ['urn:mfa', 'level2'] }
  assert.deepEqual(parseAcrValues('urn:mfa idp:corp tenant:blue level2 urn:mfa'), expected)
})

test('AZ-20 neither provider nor tenant can contain a URL or a path', () => {
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
  for (const name of ['../x', 'https://evil.example', 'a/b', 'a\\b', '', 'a'.repeat(101)]) {
    assert.equal(parseAcrValues(`tenant:${name}`).tenant, null, name)
  }
})
