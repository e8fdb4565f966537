import assert from 'node:assert/strict'
import { test } from 'node:test'
import { timeAgo } from './time-words.ts'

const now = new Date('2026-11-21T12:00:00Z')
const distances = [
  [0, 'just now'],
  [-119, '1 minute ago'],
  [86_400 * 29, 'in 29 days'],
  [86_400 * 90, 'in 3 months'],
  [86_400 * 89.5, 'in 3 months'],
  [86_400 * 400, 'next year'],
] as const
for (const [seconds, words] of distances) {
  test(`${seconds} seconds from now is “${words}”`, () =>
    assert.equal(timeAgo(new Date(now.getTime() + seconds * 1000), now), words))
}
