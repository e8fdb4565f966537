import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parametersOf } from './parameters.ts'

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
