import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from '#lib/protocol/claims.ts'
import { renderAsText, renderTyped } from './validation.ts'

const address = { street_address: 'Main 1', zip: 12 }
type Row = readonly [
  title: string,
  value: JsonValue,
  asText: JsonValue | undefined,
  typed: JsonValue | undefined,
]

const rows: readonly Row[] = [
  ['a string', 'alice', 'alice', 'alice'],
  ['a number', 1413203781, '1413203781', 1413203781],
  ['a boolean', true, 'true', true],
  ['an object', address, JSON.stringify(address), address],
  ['an array of one', ['pwd'], 'pwd', 'pwd'],
  ['an array of several', ['read', 'write'], ['read', 'write'], ['read', 'write']],
  ['an array of numbers', [1, 2], ['1', '2'], [1, 2]],
  ['repeated values', ['a', 'b', 'a'], ['a', 'b'], ['a', 'b']],
  ['the same value twice', ['a', 'a'], 'a', 'a'],
  ['equal objects', [address, address], JSON.stringify(address), address],
  ['an empty array', [], undefined, undefined],
  ['null', null, undefined, undefined],
]

for (const [title, value, text, typed] of rows) {
  test(`a signed token's claim is text, a reference token's keeps its type: ${title}`, () => {
    assert.deepEqual(renderAsText({ claim: value }).claim, text)
    assert.deepEqual(renderTyped({ claim: value }).claim, typed)
  })
}

test('the order of the claims stays', () => {
  assert.deepEqual(Object.keys(renderAsText({ iss: 'a', aud: 'b', exp: 1, nbf: 1 })), [
    'iss',
    'aud',
    'exp',
    'nbf',
  ])
})
