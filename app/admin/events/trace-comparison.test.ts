import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markCharacters } from '#lib/protocol/text/marked-difference.ts'
import { differenceWords, isNear, visible } from './trace-comparison.tsx'

function difference(left: string, right: string) {
  const [sent, expected] = markCharacters(left, right)
  return { sent, expected }
}

const differences: ReadonlyArray<readonly [sent: string, registered: string, words: string | null]> = [
  ['https://a.example/cb/', 'https://a.example/cb', 'Not expected at the end: “/”'],
  ['https://a.example/cb', 'https://a.example/cb/', 'Missing at the end: “/”'],
  ['http://a.example/cb', 'https://a.example/cb', 'Missing: “s”'],
  ['https://A.example/cb', 'https://a.example/cb', '“A” instead of “a”'],
  [
    'https://a.example/cb?t=…',
    'https://a.example/cb?t=north',
    'Query values are not stored and shown as “…”. Add such a URI by hand.',
  ],
  ['https://a.example/c b', 'https://a.example/cb', 'Not expected: a space'],
  ['same', 'same', null],
]
for (const [sent, registered, words] of differences) {
  test(`the difference between "${sent}" and "${registered}": ${words}`, () => {
    assert.equal(differenceWords(difference(sent, registered)), words)
  })
}

test('values with little in common are not compared letter by letter', () => {
  assert.equal(isNear(difference('profle', 'profile')), true)
  assert.equal(isNear(difference('payroll.read', 'orders.read')), false)
  assert.equal(isNear(difference('https://evil.test/steal', 'https://wiki.example/callback')), false)
})

test('a character that reverses the text is shown by its code point', () => {
  assert.equal(visible('call\u202ekcab'), 'call⟨U+202E⟩kcab')
})
