import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changeText, numberText, percentText, shortNumber } from './number-words.ts'

const plain = (text: string | null) => text?.replace('\u00a0', ' ') ?? null

const shares: ReadonlyArray<readonly [number, string]> = [
  [0, '0 %'],
  [0.004, 'under 1 %'],
  [0.5, '50 %'],
  [0.9951, 'over 99 %'],
  [1, '100 %'],
]

describe('a share is never all or nothing unless it is', () => {
  for (const [share, expected] of shares)
    test(expected, () => assert.equal(plain(percentText(share)), expected))
})

const changes: ReadonlyArray<readonly [now: number, before: number, expected: string | null]> = [
  [112, 100, '12 % more'],
  [88, 100, '12 % less'],
  [1000, 1001, 'the same'],
  [0, 0, 'the same'],
  [5, 0, null],
  [2100, 100, '2,000 % more'],
]

describe('a change is told in percent of what was before', () => {
  for (const [now, before, expected] of changes)
    test(`${now} after ${before}`, () => assert.equal(plain(changeText(now, before)), expected))
})

test('numbers have separators, axes are short', () => {
  assert.deepEqual([numberText(1234567), shortNumber(1500), shortNumber(20)], ['1,234,567', '1.5K', '20'])
})
