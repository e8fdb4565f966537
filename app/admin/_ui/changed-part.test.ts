import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedPart } from './changed-part.ts'

const table = [
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

for (const [before, after, [start, removed, added, end]] of table) {
  test(`from ${JSON.stringify(before)} to ${JSON.stringify(after)}, only ${JSON.stringify(removed)} and ${JSON.stringify(added)} are marked`, () => {
    assert.deepEqual(changedPart(before, after), { start, removed, added, end })
    assert.deepEqual([start + removed + end, start + added + end], [before, after])
  })
}
