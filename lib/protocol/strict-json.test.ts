import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseStrictJson } from './strict-json.ts'

test('JW-12 finds a duplicate key in an object, however it is escaped', () => {
  const repeated = [
    '{"a":1,"a":2}',
    '{"x":{"a":1,"b":[{"a":1,"\\u0061":2}]}}',
    '[{"a":1},{"a":1,"b":"}","a":[]}]',
    '{"a":{},"a":{}}',
    '{"__proto__":1,"__proto__":2}',
  ]
  for (const text of repeated) assert.ok('repeatedKey' in parseStrictJson(text), text)
})

test('accepts equal keys in different objects and equal strings elsewhere', () => {
  const fine = [
    '{"a":{"a":{"a":1}},"b":{"a":2}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":["a","a","b"]}',
    '{"a":",\\"a\\":","b":"{"}',
    '{"":1}',
    '7',
    '"{"',
  ]
  for (const text of fine) assert.deepEqual(parseStrictJson(text), { value: JSON.parse(text) })
})

test('parses everything that JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const text = JSON.stringify(value)
      assert.deepEqual(parseStrictJson(text), { value: JSON.parse(text) })
    }),
  )
})

test('LIM-04 malformed and too deeply nested JSON is a SyntaxError', () => {
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  for (const text of ['', '{', '{"a":1,}', "{'a':1}", 'undefined', '{"a":1}{"a":1}', deep])
    assert.throws(() => parseStrictJson(text), SyntaxError)
})
