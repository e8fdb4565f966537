import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markCharacters, markWords } from './marked-difference.ts'

const words = [
  [
    'https://a.test/one\nhttps://a.test/two',
    'https://a.test/one\nhttps://a.test/three',
    ['https://a.test/one\n', 'https://a.test/two', 'https://a.test/three', ''],
  ],
  ['openid profile', 'openid email profile', ['openid ', '', 'email ', 'profile']],
  ['Orders', 'Orders and returns', ['Orders', '', ' and returns', '']],
  ['one', 'two', ['', 'one', 'two', '']],
  ['a a', 'a a a', ['a a', '', ' a', '']],
  ['same text', 'same text', ['same text', '', '', '']],
] as const

for (const [left, right, [before, removed, added, after]] of words) {
  test(`from ${JSON.stringify(left)} to ${JSON.stringify(right)}, only ${JSON.stringify(removed)} and ${JSON.stringify(added)} are marked`, () => {
    const expected = [removed, added].map(changed => ({ before, changed, after }))
    assert.deepEqual(markWords(left, right), expected)
    assert.deepEqual([before + removed + after, before + added + after], [left, right])
  })
}

const characters = [
  ['https://a.example/cb/', 'https://a.example/cb', '/', ''],
  ['http://a.example/cb', 'https://a.example/cb', '', 's'],
  ['https://A.example/cb', 'https://a.example/cb', 'A', 'a'],
  ['https://a.example:81/cb', 'https://a.example/cb', ':81', ''],
  ['same', 'same', '', ''],
] as const

for (const [left, right, changedLeft, changedRight] of characters) {
  test(`"${left}" and "${right}" are split into common parts and the difference`, () => {
    const marked = markCharacters(left, right)
    assert.deepEqual(
      marked.map(({ changed }) => changed),
      [changedLeft, changedRight],
    )
    assert.deepEqual(
      marked.map(({ before, changed, after }) => before + changed + after),
      [left, right],
    )
  })
}
