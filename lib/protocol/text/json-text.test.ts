import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findJsonFault, parseStrictJson, placeInText } from './json-text.ts'

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

const faults: ReadonlyArray<readonly [string, string, string, RegExp]> = [
  ['a comma before the end of an object', '{\n  "a": 1,\n}', 'line 2, column 9', /^remove this comma/],
  ['a comma before the end of a list', '[1,\n 2 ,\n]', 'line 2, column 4', /^remove this comma/],
  ['a comment', '{\n  // ours\n  "a": 1\n}', 'line 2, column 3', /^remove this comment/],
  ['a comment after a value', '{"a": 1 /* one */}', 'line 1, column 9', /^remove this comment/],
  [
    'a missing comma',
    '{\n"a": 1\n"b": 2}',
    'line 2, column 7',
    /^a comma, or "}" for the "{" of line 1, is missing$/,
  ],
  ['a missing comma, some lines later', '{"a": 1\n\n\n "b": 2}', 'line 1, column 8', /^a comma/],
  [
    'a list that is not closed',
    '{"a": [\n{"b": 1}\n}',
    'line 2, column 9',
    /^a comma, or "]" for the "\[" of line 1, is/,
  ],
  ['a missing colon', '{"a" 1}', 'line 1, column 5', /^a colon is missing$/],
  ['a missing value', '{"a": }', 'line 1, column 7', /^a value is missing$/],
  ['a name without quotes', '{a: 1}', 'line 1, column 2', /^a name in double quotes is missing$/],
  ['single quotes', "{'a': 1}", 'line 1, column 2', /double quotes$/],
  [
    'an open text',
    '{"a": "x\n}',
    'line 1, column 7',
    /^the text that begins here is not closed in its line$/,
  ],
  ['a backslash', '{"a": "C:\\data"}', 'line 1, column 10', /^write a backslash as/],
  ['a tab in a text', '["a\tb"]', 'line 1, column 4', /^write a control character/],
  ['a text without quotes', '{"a": web}', 'line 1, column 7', /^put texts into double quotes$/],
  [
    'a YAML document',
    '# ours\n\nclients:\n  - client_id: web\n',
    'line 1, column 1',
    /^this looks like YAML/,
  ],
  ['a YAML document with a mark', '---\nclients: []\n', 'line 1, column 1', /^this looks like YAML/],
  [
    'an open object',
    '{"a": [1]',
    'line 1, column 10',
    /^the file ends, but a comma, or "}" for the "{" of line 1, is missing$/,
  ],
  ['an open object before the last line break', '{"a": [1]\n\n', 'line 1, column 10', /^the file ends/],
  ['nothing at all', '', 'line 1, column 1', /^the file ends, but a value is missing$/],
  ['a second document', '{}\n{}', 'line 2, column 1', /^nothing may follow the end of the document$/],
  ['an invalid number', '[01]', 'line 1, column 2', /^this is not a number as JSON has it$/],
  [
    'a bracket too many inside of others',
    `{"a":\n${'['.repeat(5000)}${']'.repeat(5000)}}`,
    'line 2, column 64',
    /^more than 64 brackets are open$/,
  ],
  [
    'a duplicate key',
    '{"users":[{},{"name":1,\n "name":2}]}',
    'line 2, column 2',
    /^the key "users\[1\]\.name" appears twice$/,
  ],
]

for (const [name, text, place, problem] of faults) {
  test(`finds the position of ${name}`, () => {
    const fault = findJsonFault(text)
    assert.ok(fault)
    assert.equal(placeInText(text, fault.position), place)
    assert.match(fault.problem, problem)
  })
}

test('finds an error exactly when JSON.parse does', () => {
  const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '"b"', '1', 'true', ' ', '\n', '-', '"')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      const text = pieces.join('')
      const fault = findJsonFault(text)
      const isRepeated = fault?.problem.includes('twice') === true
      assert.equal(fault === null || isRepeated, isRepeated || isJson(text), text)
    }),
    { numRuns: 2000 },
  )
  fc.assert(fc.property(fc.jsonValue(), value => findJsonFault(JSON.stringify(value, null, 2)) === null))
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
